/**
 * Changing a card as people do: read it whole, take it through steps, write what they changed in one go. A step
 * is a function from draft to draft, so that a bulk request puts several together and a row is still all or
 * nothing. Every surface goes through here.
 *
 * A lease whose time has passed holds nothing. Where a lease would stand in the way, an expired one is first
 * ended as the reaper would end it (run `expired`, perhaps dead-lettered) and the steps meet what is left: so
 * the outcome is the same before and after the reaper ran.
 */
import { endExpired } from '../claim/expire.ts';
import { tidySlots } from '../claim/slots.ts';
import { findColumn, type Board, type Column } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { decideUntilWritten, type Decision } from '../jobs.ts';
import type { Op } from '../lifecycle.ts';
import { linkEffects } from '../links/effects.ts';
import { leaseExpired } from '../model/hold.ts';
import type { Pins } from '../store/conditions.ts';
import type { Actor, EventNote, Job } from '../store/items.ts';
import type { Write } from '../store/params.ts';
import type { CardView } from '../views/card.ts';
import { textWrites } from './content.ts';
import { findCard, openBoard, showCard, type WholeCard } from './read.ts';

/** A card on its way through the steps of one change. */
export interface Draft extends WholeCard {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly by: Actor;
  readonly board: Board;
  readonly now: number;
  /** As it was read; `job`, `card` and `body` are as the steps have made them. */
  readonly before: WholeCard;
  readonly op: Op;
  readonly events: readonly EventNote[];
  readonly also: readonly Write[];
  /** What follows the write. */
  readonly afterwards: readonly (() => Promise<void>)[];
  /** People's edit of content, place, priority or assignee: raises `rev`. */
  readonly edited: boolean;
  /** For an op whose condition names more than what was read. */
  readonly pins?: Pins;
}

export type Step = (draft: Draft) => Draft | Promise<Draft>;

interface ChangeOptions {
  /** False for what goes on beside a lease (an edit, a request to stop): an expired one is left for its claim. */
  readonly endsExpired?: boolean;
}

/** Takes the card through the steps and answers it as it then is; unchanged, nothing is written. */
export async function changeCard(
  engine: Engine,
  caller: Caller,
  cardId: string,
  steps: readonly Step[],
  options: ChangeOptions = {},
): Promise<CardView> {
  const whole = await writeSteps(engine, caller, cardId, steps, options);
  return showCard(engine, whole);
}

/** The same, answered as stored. */
export async function writeSteps(
  engine: Engine,
  caller: Caller,
  cardId: string,
  steps: readonly Step[],
  { endsExpired = true }: ChangeOptions = {},
): Promise<WholeCard> {
  let first: Job | undefined;
  let afterwards: Draft['afterwards'] = [];
  const whole = await decideUntilWritten(engine, async (): Promise<Decision<WholeCard>> => {
    let draft = await readDraft(engine, caller, cardId, endsExpired);
    first = draft.before.job;
    for (const step of steps) draft = await step(draft);
    draft = await withLinkEffects(draft);
    ({ afterwards } = draft);
    return decision(draft);
  });
  await tidyAfter(engine, first, whole.job);
  if (afterwards.length === 0) return whole;
  for (const follow of afterwards) await follow();
  return findCard(engine, caller, cardId);
}

/** What the change means for the cards on the other ends of its links. */
async function withLinkEffects(draft: Draft): Promise<Draft> {
  const { engine, before, by } = draft;
  const effects = await linkEffects(engine, before.job, draft.job, by);
  return {
    ...draft,
    job: effects.job,
    also: [...draft.also, ...effects.also],
    afterwards: [...draft.afterwards, ...effects.afterwards],
  };
}

export async function readDraft(
  engine: Engine,
  caller: Caller,
  cardId: string,
  endsExpired: boolean,
): Promise<Draft> {
  let whole = await findCard(engine, caller, cardId);
  const board = await openBoard(engine, caller, whole.job.board_id);
  if (endsExpired && leaseExpired(whole.job, engine.deps.now())) {
    const column = await findColumn(engine, whole.job.column_id);
    if (column !== undefined) await endExpired(engine, whole.job, column);
    whole = await findCard(engine, caller, cardId);
  }
  const now = engine.deps.now();
  const by = actorOf(caller);
  return {
    ...whole,
    before: whole,
    engine,
    caller,
    by,
    board,
    now,
    op: 'edit',
    events: [],
    also: [],
    afterwards: [],
    edited: false,
  };
}

function decision(draft: Draft): Decision<WholeCard> {
  const { before, card, body, op, events, pins } = draft;
  const texts = textWrites(before, { card, body });
  if (events.length === 0 && texts.length === 0 && draft.also.length === 0) return { answer: before };
  const after = draft.edited ? { ...draft.job, rev: before.job.rev + 1 } : draft.job;
  return {
    change: { op, before: before.job, after, events, ...(pins === undefined ? {} : { pins }) },
    also: [...texts, ...draft.also],
    result: (job) => ({ job, card, body }),
  };
}

/** Removes the slot's item of a hold that has ended. Tidying only: the slot is free without it. */
export async function tidyAfter(engine: Engine, before: Job | undefined, after: Job): Promise<void> {
  if (before?.slot === undefined || after.slot === before.slot) return;
  try {
    await tidySlots(engine, before);
  } catch {
    // The card is changed and the slot is free all the same.
  }
}

/** The column that the card stands in; a card whose column is gone stands in the board's first. */
export async function columnOfDraft(draft: Draft): Promise<Column | undefined> {
  const { engine, board, job } = draft;
  const column = await findColumn(engine, job.column_id);
  const [first] = board.item.column_ids;
  return column ?? (first === undefined ? undefined : findColumn(engine, first));
}
