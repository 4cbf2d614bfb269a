/** What lies under a card that was deleted: links, runs, comments, attachments with their files. May run twice. */
import { removeFiles } from '../attachments/remove.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { removeEdges } from '../links/remove.ts';
import type { GoingItem, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { goneDelete } from './register.ts';

/** Items deleted at a time; a card has one per run and few others. */
const PAGE = 25;

/** Removes all but the tombstone, then the entry that says there is something to remove. */
export async function removeRemains(engine: Engine, tombstone: Job): Promise<void> {
  await removeEdges(engine, tombstone);
  await removeAllBut(engine, jobKey(tombstone.pk).sk, tombstone.pk);
  await engine.store.write(goneDelete(tombstone.pk));
}

/** One run of the reaper over a card whose deletion was cut short. */
export async function finishBurial(engine: Engine, entry: GoingItem): Promise<void> {
  const tombstone = await readJob(engine, entry.sk);
  if (tombstone?.state === 'deleted') await removeRemains(engine, tombstone);
  else await engine.store.write(goneDelete(entry.sk));
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
