/** Block: the holder cannot go on, and says what kind of help it needs. No attempt is spent. */
import { stopped } from '../blocks/block.ts';
import { cardWrites } from '../cards/content.ts';
import { boardFor } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { leaseNote, note } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { withoutHold } from '../model/hold.ts';
import type { BlockBody } from '../schemas/blocks.ts';

/**
 * Answers the card and its run: blocked, or in triage where the same kind came too often, or waiting on its
 * parents. `kind: dependency` without an open parent is a `conflict`, and the lease stays.
 */
export async function blockLease(engine: Engine, caller: Caller, input: BlockBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'block', (hold) =>
    blocking(hold, caller, input),
  );
  return { card, run };
}

async function blocking(hold: Hold, caller: Caller, input: BlockBody): Promise<Ending> {
  const { engine, job, card, column, agent, now } = hold;
  const { kind = null, reason } = input;
  const board = await boardFor(engine, caller, job.board_id);
  const free = withoutHold(job);
  const end = await stopped({ engine, board, column, job: free, card, kind, reason, by: agent, now });
  const by = { type: 'agent' as const, id: agent };
  return {
    after: end.job,
    closing: { outcome: 'blocked', error: reason },
    events: end.events.map((type) => note(type, by, job, { ...leaseNote(job), reason })),
    also: cardWrites(card, end.card),
    cardAfter: end.card,
  };
}
