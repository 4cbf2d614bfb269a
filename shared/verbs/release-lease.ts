/** Release: give the card back at once, and the attempt with it, so that a drained worker burns no budget. */
import { failurePlace } from '../claim/expire.ts';
import type { Caller, Engine } from '../engine.ts';
import { leaseNote, note } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { attemptsLeft, deadLettered, refundable, refunded, withoutHold } from '../model/hold.ts';
import { settle } from '../model/settle.ts';
import type { ReleaseBody } from '../schemas/leases.ts';

/** Answers the card and its run. Past the bound on refunds the attempt stays spent, and the last one is final. */
export async function releaseLease(engine: Engine, caller: Caller, input: ReleaseBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'release', (hold) => giveBack(hold, input));
  return { card, run };
}

async function giveBack(hold: Hold, input: ReleaseBody): Promise<Ending> {
  const { engine, job, column, now, agent } = hold;
  const by = { type: 'agent' as const, id: agent };
  const refund = refundable(job);
  const back = withoutHold(refund ? refunded(job) : job);
  const alive = attemptsLeft(back, column.contract.max_attempts);
  const released = note('card.lease.released', by, job, leaseNote(job));
  return {
    after: alive ? settle(back, column, now) : deadLettered(back, await failurePlace(engine, column), now),
    closing: {
      outcome: 'released',
      ...(input.note === undefined ? {} : { summary: input.note }),
      ...(refund ? { refunded: true } : {}),
      ...(alive ? {} : { dead_lettered: true }),
    },
    events: alive ? [released] : [released, note('card.lease.deadlettered', by, job, leaseNote(job))],
  };
}
