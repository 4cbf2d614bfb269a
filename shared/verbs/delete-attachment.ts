/** Remove an attachment, row and file. */
import { removeFiles } from '../attachments/remove.ts';
import { findAttachment } from '../attachments/rows.ts';
import { findJob, openBoard } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { decideUntilWritten, type Decision } from '../jobs.ts';
import { PRESENT } from '../store/conditions.ts';

/** Not found when it is gone already. Removing is no event; the count on the card goes down. */
export async function deleteAttachment(
  engine: Engine,
  caller: Caller,
  input: { card: string; attachment: string },
): Promise<void> {
  await decideUntilWritten(engine, async (): Promise<Decision<void>> => {
    const job = await findJob(engine, caller, input.card);
    await openBoard(engine, caller, job.board_id);
    const row = await findAttachment(engine, job.pk, input.attachment);
    if (row === undefined) throw notFound('attachment', input.attachment);
    await removeFiles(engine, [row]);
    const attachments = Math.max(0, (job.attachments ?? 0) - 1);
    return {
      change: { op: 'touch', before: job, after: { ...job, attachments }, events: [] },
      also: [{ kind: 'delete', key: { pk: row.pk, sk: row.sk }, condition: PRESENT }],
      result: () => undefined,
    };
  });
}
