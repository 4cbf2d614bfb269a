/** A board of the default template as the stories around a card need it, and its people and workers. */
import type { Caller } from '../../../shared/engine.ts';
import { readRun } from '../../../shared/runs.ts';
import type { Run } from '../../../shared/store/items.ts';
import { blockCard } from '../../../shared/verbs/block-card.ts';
import { blockLease } from '../../../shared/verbs/block-lease.ts';
import { completeCard } from '../../../shared/verbs/complete-card.ts';
import { createComment } from '../../../shared/verbs/create-comment.ts';
import { listRuns } from '../../../shared/verbs/list-runs.ts';
import { putContract } from '../../../shared/verbs/put-contract.ts';
import { requestChanges } from '../../../shared/verbs/request-changes.ts';
import { requestReview } from '../../../shared/verbs/request-review.ts';
import { unblockCard } from '../../../shared/verbs/unblock-card.ts';
import type { ClaimView } from '../../../shared/views/claim.ts';
import type { RunView } from '../../../shared/views/card.ts';
import { columnNamed, queueOf } from '../../boards/support/board.ts';
import { makeDesk, type Desk } from '../../cards/support/cards.ts';
import type { TestQueue } from '../../support/queue.ts';
import { claimFrom, mustClaim } from '../../support/worker.ts';
import type { World } from '../../support/world.ts';

export interface Around extends Desk {
  readonly blocked: string;
  readonly triage: string;
  readonly reviewQueue: TestQueue;
}

/** @param ready What the contract of Ready says beside its defaults; `review` that of Review. */
export async function makeAround(world: World, ready: object = {}, review: object = {}): Promise<Around> {
  const desk = await makeDesk(world, { enabled: true, ...ready });
  if (Object.keys(review).length > 0) {
    await putContract(world.main, world.admin, {
      board: desk.board.id,
      column: desk.review,
      contract: { enabled: true, on_success_column_id: desk.done, ...review },
    });
  }
  return {
    ...desk,
    blocked: columnNamed(desk.board, 'Blocked').id,
    triage: columnNamed(desk.board, 'Triage').id,
    reviewQueue: await queueOf(world.main, desk.board, 'Review'),
  };
}

type Held = Pick<ClaimView, 'lease_id' | 'lease_token'>;
const leaseOf = (held: Held) => ({ lease: held.lease_id, lease_token: held.lease_token });

/** The verbs as one world's callers use them. */
export function verbsOf({ main, admin }: World) {
  return {
    comment: async (card: { id: string }, body: string, caller: Caller = admin, more: object = {}) =>
      (await createComment(main, caller, { card: card.id, body, ...more }, null)).value,
    block: async (caller: Caller, held: Held, more: object = {}) =>
      blockLease(main, caller, { ...leaseOf(held), reason: 'stuck', ...more }),
    requestReview: async (caller: Caller, held: Held, more: object = {}) =>
      requestReview(main, caller, { ...leaseOf(held), summary: 'look at this', ...more }),
    requestChanges: async (caller: Caller, held: Held, more: object = {}) =>
      requestChanges(main, caller, { ...leaseOf(held), reason: 'not yet', ...more }),
    blockByHand: async (card: { id: string }, more: object = {}, caller: Caller = admin) =>
      blockCard(main, caller, { card: card.id, reason: 'wait for me', ...more }),
    unblock: async (card: { id: string }, caller: Caller = admin) =>
      unblockCard(main, caller, { card: card.id }),
    completeByHand: async (card: { id: string }, more: object = {}, caller: Caller = admin) =>
      completeCard(main, caller, { card: card.id, ...more }),
    runs: async (card: { id: string }): Promise<RunView[]> =>
      (await listRuns(main, admin, { card: card.id, limit: 100 })).items,
    storedRun: async (card: { id: string }, number: number): Promise<Run | undefined> =>
      readRun(main, card.id, number),
  };
}

/** A claim from a column whose limit was just set: it looks at the leases that live first, and gives none meanwhile. */
export async function claimSoon(world: World, caller: Caller, queue: TestQueue): Promise<ClaimView> {
  for (let tries = 0; tries < 5; tries += 1) {
    world.clock.advance(10_000);
    const held = await claimFrom(world.main, caller, queue);
    if (held !== null) return held;
  }
  return mustClaim(world.main, caller, queue);
}
