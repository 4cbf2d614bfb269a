/** Bringing a card up by hand: to where it is offered, at once. */
import { columnsOf, type Column } from '../columns.ts';
import { problem } from '../errors.ts';
import { mustAllow, note } from '../jobs.ts';
import { entering } from '../model/hold.ts';
import { withoutReservation } from '../model/reservation.ts';
import { settle, waitsOn } from '../model/settle.ts';
import type { WaitingOn } from '../model/states.ts';
import { stageColumn, unblocked } from './block.ts';
import type { Draft, Step } from './change.ts';
import { mustBeFree } from './free.ts';
import { mustHaveNoOpenParents } from './parents.ts';
import { checkedInput } from './stand.ts';

/** What else must happen first; a promotion overrules a backoff, and nothing that somebody decided. */
const CURES: Record<Exclude<WaitingOn, 'backoff'>, string> = {
  draft: 'It is a draft: PATCH it with "draft": false.',
  hold: 'It is on hold: let it go with :unhold.',
  container: 'It waits for its sub-cards: complete them first.',
  parents: 'It waits for its parents: complete them first, or unlink them.',
  input: "Its properties do not fit the column's input schema: PATCH them.",
  schedule: 'It is scheduled: PATCH "scheduled_at".',
};

/**
 * A card that stands in no queue goes to the board's first for work, a blocked one back to where it was blocked,
 * one that waits out its backoff waits no longer, and one that is kept for somebody is anybody's. Ready already,
 * nothing changes.
 */
export const promoted: Step = async (draft) => {
  mustBeFree(draft.job, draft.now);
  mustAllow('promote_card', draft.job);
  const column = await stageColumn(draft);
  if (!column.queue) return broughtUp(draft, await workQueue(draft));
  if (draft.job.state === 'blocked') return mustBeOffered(await unblocked()(draft));
  return waitEnded(draft, column);
};

async function workQueue({ engine, board }: Draft): Promise<Column> {
  const queues = (await columnsOf(engine, board)).filter(({ queue }) => queue);
  const found = queues.find(({ role }) => role === 'work');
  if (found !== undefined) return found;
  throw problem(
    'conflict',
    "The board has no queue with the role 'work'. Put an enabled contract on one, or move the card.",
  );
}

async function broughtUp(draft: Draft, column: Column): Promise<Draft> {
  const { engine, by, before, now } = draft;
  const { block_reason: _reason, ...content } = draft.card;
  const { job, card } = checkedInput(draft.job, content, column);
  const entered = entering({ ...job, from_column_id: draft.job.column_id }, column, now, () =>
    engine.deps.random(),
  );
  const moved = draft.job.state === 'blocked' ? 'card.unblocked' : 'card.moved';
  const events = [note(moved, by, before.job), note('card.ready', by, before.job)];
  return mustBeOffered({
    ...draft,
    job: entered,
    card,
    op: 'promote_card',
    events: [...draft.events, ...events],
    edited: true,
  });
}

async function waitEnded(draft: Draft, column: Column): Promise<Draft> {
  const { by, before, now } = draft;
  const { not_before: _before, ...rest } = withoutReservation(draft.job);
  const job = settle(rest, column, now);
  const offered = await mustBeOffered({ ...draft, job });
  if (job.lane === before.job.lane && job.pos === before.job.pos) return draft;
  return {
    ...offered,
    op: 'promote_card',
    events: [...draft.events, note('card.ready', by, before.job)],
    edited: true,
  };
}

/** Refuses what would not make the card ready, saying what would. */
async function mustBeOffered(draft: Draft): Promise<Draft> {
  const waiting: WaitingOn | null = waitsOn(draft.job, draft.now);
  if (waiting === null || waiting === 'backoff') return draft;
  if (waiting === 'parents') await mustHaveNoOpenParents(draft.engine, draft.job);
  throw problem('conflict', `The card cannot be promoted. ${CURES[waiting]}`);
}
