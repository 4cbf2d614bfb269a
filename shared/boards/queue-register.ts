/** The register of queues, which is what the reaper looks after. */
import { findColumn, forget } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { GOING_SETTLE_MS } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { QueueEntrySchema } from '../store/items.ts';
import { queueEntryKey } from '../store/keys.ts';
import { settleStrays } from './strays.ts';

/**
 * Puts the strays of a registered column right, and strikes the column off once it is no queue any more, nothing
 * of one is left in it, and every remembered contract has run out.
 */
export async function tendQueue(engine: Engine, columnId: string, until: number): Promise<void> {
  const item = await engine.store.get(queueEntryKey(columnId));
  if (item === undefined) return;
  const { rev } = QueueEntrySchema.parse(item);
  // Read after the entry, and past what is remembered: a column that began again since then is seen to be a queue.
  forget(engine, { columnId });
  const column = await findColumn(engine, columnId);
  const clean = column === undefined || (await settleStrays(engine, column, until));
  const ended =
    column === undefined || (!column.queue && engine.deps.now() - column.item.updated_at >= GOING_SETTLE_MS);
  if (!clean || !ended) return;
  await engine.store.write({
    kind: 'delete',
    key: queueEntryKey(columnId),
    condition: expression('#rev = :c_rev', { rev }),
  });
}
