/**
 * Events older than their board keeps them. The feed names every event in the order in which they came, so its oldest
 * pages lead to them; a page goes after the events that it names, or the next run would not find those.
 */
import type { Engine } from '../engine.ts';
import { entryKey, parseFeedEntry } from '../events/feed-entry.ts';
import { FAN_OUT_WIDTH } from '../policy.ts';
import { FeedPageSchema, type FeedPage } from '../store/event-items.ts';
import { feedPk } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import type { Allowance } from './allowance.ts';

/** Pages read at a time. */
const PAGES = 10;

/** True when nothing older than `before` (ms) is left; false when the allowance was used up first. */
export async function removeOldEvents(
  engine: Engine,
  boardId: string,
  before: number,
  allowance: Allowance,
): Promise<{ removed: number; finished: boolean }> {
  let removed = 0;
  for (;;) {
    const { items } = await engine.store.query({
      pk: { name: 'pk', value: feedPk(boardId) },
      limit: PAGES,
      consistent: true,
    });
    const pages = items.map((item) => FeedPageSchema.parse(item)).filter(({ at }) => at < before);
    for (const page of pages) {
      if (allowance.over) return { removed, finished: false };
      removed += await removePage(engine, page);
      allowance.spend(page.events.length + 1);
    }
    if (pages.length < PAGES) return { removed, finished: true };
  }
}

/** Answers how many events it held. */
async function removePage(engine: Engine, page: FeedPage): Promise<number> {
  await inWidth(FAN_OUT_WIDTH, page.events, async (entry) =>
    engine.store.write({ kind: 'delete', key: entryKey(parseFeedEntry(entry)) }),
  );
  await engine.store.write({ kind: 'delete', key: { pk: page.pk, sk: page.sk } });
  return page.events.length;
}
