/** What lies under a card that was deleted: links, runs, comments, attachments with their files. May run twice. */
import { removeFiles } from '../attachments/remove.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { removeEdges } from '../links/remove.ts';
import type { GoingItem, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { goneDelete, isQuiet } from './register.ts';

/** Items deleted at a time; a card has one per run and few others. */
const PAGE = 25;

/** Removes all but the tombstone. The reaper does it once more, see `finishBurial`. */
export async function removeRemains(engine: Engine, tombstone: Job): Promise<void> {
  await removeEdges(engine, tombstone);
  await removeAllBut(engine, jobKey(tombstone.pk).sk, tombstone.pk);
}

/**
 * One run of the reaper over a card that was deleted: what a crash left of it, and, after a while, what another
 * request that had read the card before still wrote under it, such as a link.
 */
export async function finishBurial(engine: Engine, entry: GoingItem): Promise<void> {
  const tombstone = await readJob(engine, entry.sk);
  if (tombstone?.state === 'deleted') await removeRemains(engine, tombstone);
  if (isQuiet(engine, entry)) await engine.store.write(goneDelete(entry.sk));
}

async function removeAllBut(engine: Engine, kept: string, cardId: string): Promise<void> {
  for (;;) {
    const { items } = await engine.store.query({
      pk: { name: 'pk', value: cardId },
      consistent: true,
      limit: PAGE + 1,
    });
    const rest = items.map(({ sk }) => String(sk)).filter((sk) => sk !== kept);
    if (rest.length === 0) return;
    await removeFiles(engine, items);
    await Promise.all(
      rest.map(async (sk) => engine.store.write({ kind: 'delete', key: { pk: cardId, sk } })),
    );
  }
}
