/**
 * A card created under more parents than one transaction holds: the list of them is written with the card, counts
 * as its parents at once, and is replaced by edges afterwards. It is its own timer, so that a crash leaves the
 * rest to whoever meets it.
 */
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { CHILDREN_GRACE_MS, WALK_WIDTH } from '../policy.ts';
import { LAYOUT_VERSION, type Job } from '../store/items.ts';
import { laneOf, order, pendingParentsKey, timedPos } from '../store/keys.ts';
import { TRANSACTION_MAX } from '../store/limits.ts';
import { PendingParentsSchema } from '../store/link-items.ts';
import type { Put } from '../store/params.ts';
import { inWidth } from '../width.ts';
import { settleLinked } from './linked.ts';
import { edgePuts } from './edges.ts';

const EDGES_AT_ONCE = TRANSACTION_MAX / 2;

/** The list, for the transaction that creates the card; it rings in the card's own column. */
export function pendingPut(job: Job, parents: readonly string[], now: number): Put {
  return {
    kind: 'put',
    item: {
      ...pendingParentsKey(job.pk),
      v: LAYOUT_VERSION,
      board_id: job.board_id,
      run: 0,
      lane: laneOf(job.column_id, 'T'),
      pos: timedPos(now + CHILDREN_GRACE_MS, 't', order(0, job.rank)),
      parents: [...parents],
    },
  };
}

/** Writes the edges of a card's pending parents and then looks at the card. Nothing pending, nothing happens. */
export async function finishParents(engine: Engine, cardId: string): Promise<void> {
  const item = await engine.store.get(pendingParentsKey(cardId));
  if (item === undefined) return;
  const { parents, board_id } = PendingParentsSchema.parse(item);
  const job = await readJob(engine, cardId);
  if (job !== undefined && job.state !== 'deleted') {
    const chunks = Array.from({ length: Math.ceil(parents.length / EDGES_AT_ONCE) }, (_, at) =>
      parents.slice(at * EDGES_AT_ONCE, (at + 1) * EDGES_AT_ONCE),
    );
    await inWidth(WALK_WIDTH, chunks, async (chunk) =>
      engine.store.transact(
        chunk.flatMap((parent) => edgePuts(board_id, { parent, child: cardId, sub: false })),
      ),
    );
    await settleLinked(engine, cardId, parents);
  }
  await engine.store.write({ kind: 'delete', key: pendingParentsKey(cardId) });
}
