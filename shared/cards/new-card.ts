/** A new card, as its request and its column make it. */
import type { Column } from '../columns.ts';
import type { Deps } from '../deps.ts';
import { createdKey, cardKey, jobKey } from '../store/keys.ts';
import { DEFAULT_PRIORITY } from '../model/states.ts';
import { settle } from '../model/settle.ts';
import { newId } from '../ids.ts';
import { bottomRank } from '../rank.ts';
import type { CreateCardBody } from '../schemas/cards.ts';
import { LAYOUT_VERSION, type Actor, type Card, type Job } from '../store/items.ts';
import { withBody } from './content.ts';
import { withContent, withFacts } from './edit.ts';
import type { WholeCard } from './read.ts';
import { checkedInput } from './stand.ts';

export interface Birth {
  readonly column: Column;
  readonly by: Actor;
  readonly id: string;
  /** `BUG-12`. */
  readonly key: string;
  /** Milliseconds; the place at the column's bottom and in the list by age follows from it. */
  readonly rankedAt: number;
  /** What its links make of it. */
  readonly parents_open?: true | undefined;
  readonly tenant?: string | undefined;
  /** Trace of the request that makes it. */
  readonly traceparent?: string | undefined;
}

/** The cards of a batch sort in its order, by rank, age and id: each is a millisecond after the one before. */
export function newCardId(deps: Deps, row: number): { id: string; rankedAt: number } {
  const rankedAt = deps.now() + row;
  return { id: newId('crd', { ...deps, now: () => rankedAt }), rankedAt };
}

/** The card at the bottom of its column, waiting where its input does not fit. */
export function newCard(body: CreateCardBody, birth: Birth, deps: Deps): WholeCard {
  const { column } = birth;
  const text = body.body ?? '';
  const card = withBody(newContent(body, birth, deps.now()), text);
  const checked = checkedInput(newJob(body, birth, deps), card, column);
  return { job: settle(checked.job, column, deps.now()), card: checked.card, body: text };
}

function newJob(body: CreateCardBody, birth: Birth, deps: Deps): Job {
  const { column, by, id, rankedAt, parents_open, tenant } = birth;
  const now = deps.now();
  const bare: Job = {
    ...jobKey(id),
    v: LAYOUT_VERSION,
    board_id: column.board_id,
    column_id: column.column_id,
    state: 'idle',
    priority: DEFAULT_PRIORITY,
    rank: bottomRank(rankedAt, () => deps.random()),
    run: 0,
    attempt: 0,
    rev: 1,
    sequence: 1,
    op: 'create',
    ev: [{ type: 'card.created', by }],
    since_at: now,
    updated_at: now,
    ...(parents_open === undefined ? {} : { parents_open }),
  };
  return withFacts(bare, { ...body, tenant: body.tenant ?? tenant });
}

function newContent(body: CreateCardBody, birth: Birth, now: number): Card {
  const { column, by, id, key, rankedAt, traceparent } = birth;
  // Kept as they were given: null takes a key away from a card that has it, and a new one has none.
  const { properties = {}, ...rest } = body;
  const bare: Card = {
    ...cardKey(id),
    v: LAYOUT_VERSION,
    board_id: column.board_id,
    board: column.board_id,
    created: createdKey(rankedAt),
    key,
    title: body.title,
    properties,
    created_by: by.id,
    created_at: now,
    ...(typeof body.dedupe_key === 'string' ? { dedupe_key: body.dedupe_key } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  return withContent(bare, rest);
}
