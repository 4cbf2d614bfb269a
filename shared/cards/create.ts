/**
 * Creating one card in two round trips. First, side by side: its number, its long text, and what a repeat or a
 * dedupe key may already have made. Then one transaction: JOB, CARD, the key's record and the dedupe key. A
 * crash or a refusal between the two leaves a number unused and a text that nothing reaches. A card with links
 * also reads what it is linked to, writes the links in the same transaction, and is looked at once more after it.
 */
import type { Board } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import {
  findRecord,
  recordAfterRefusal,
  recordWrite,
  type Repeatable,
  type Replayable,
} from '../idempotency.ts';
import { birthLinks, type BirthLinks } from '../links/birth.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES } from '../policy.ts';
import type { CreateCardBody } from '../schemas/cards.ts';
import { conditionOf } from '../store/conditions.ts';
import type { IdempotencyItem } from '../store/items.ts';
import { bodyKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';
import { cardView, type CardView } from '../views/card.ts';
import { columnFor } from './column-for.ts';
import { bodyWrite, isLong, storedCard } from './content.ts';
import { readKeyHolder, takeKey, type KeyHolder } from './dedupe.ts';
import { newCard, newCardId } from './new-card.ts';
import { cardKeyText } from './numbers.ts';
import { findCard, showCard, type WholeCard } from './read.ts';

/** The card, and whether it was there before under the same dedupe key. */
export type CreatedCard = CardView & { readonly deduplicated?: true };

export interface Creation {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly board: Board;
  readonly body: CreateCardBody;
  /** Takes the card's number. */
  readonly number: () => Promise<number>;
  readonly repeat: Repeatable | null;
  /** Trace of the request. */
  readonly traceparent: string | undefined;
  /** Row of a batch, whose records are told apart by it; null for a card created alone. */
  readonly row: number | null;
}

const CREATED = 201;
const DEDUPLICATED = 200;

export async function createOne(creation: Creation): Promise<Replayable<CreatedCard>> {
  const { engine, board, body } = creation;
  const column = await columnFor(engine, board, body.column_id);
  const { id, rankedAt } = newCardId(engine.deps, creation.row ?? 0);
  const text = body.body ?? '';
  const [number, record] = await Promise.all([
    creation.number(),
    recorded(creation),
    isLong(text) ? engine.store.write(bodyWrite({ pk: id, board_id: board.id }, text)) : undefined,
  ]);
  const by = actorOf(creation.caller);
  const { traceparent } = creation;
  const birth = { column, by, id, key: cardKeyText(board, number), rankedAt, traceparent };
  const made = await unlessThere(creation, record, async () => {
    const links = await linksOf(creation, id);
    return { whole: newCard(body, { ...birth, ...links?.facts }, engine.deps), links };
  });
  if (made.value.id !== id && isLong(text)) await engine.store.write({ kind: 'delete', key: bodyKey(id) });
  return made;
}

/** Null for a card without any: it costs nothing. */
async function linksOf({ engine, caller, board, body }: Creation, id: string): Promise<BirthLinks | null> {
  const { parents = [], container_id: container = null, lease_token } = body;
  if (parents.length === 0 && container === null) return null;
  return birthLinks(engine, caller, { id, boardId: board.id, parents, container, lease_token });
}

interface Made {
  readonly whole: WholeCard;
  readonly links: BirthLinks | null;
}

/** What the look-ups before the transaction found. */
interface Found {
  readonly record: IdempotencyItem | undefined;
  readonly holder: KeyHolder | null;
}

async function recorded({ engine, caller, board, body, repeat, row }: Creation): Promise<Found> {
  const [record, holder] = await Promise.all([
    repeat === null ? undefined : findRecord(engine, caller, repeat, row),
    typeof body.dedupe_key === 'string' ? readKeyHolder(engine, board.id, body.dedupe_key) : null,
  ]);
  return { record, holder };
}

/** The card made anew, unless its request or its dedupe key already has one. */
async function unlessThere(
  creation: Creation,
  first: Found,
  make: () => Promise<Made>,
): Promise<Replayable<CreatedCard>> {
  let found = first;
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    if (found.record !== undefined) return replay(creation, found.record);
    const answer =
      found.holder !== null && found.holder.openCardId !== null
        ? await deduplicated(creation, found.holder.openCardId)
        : await written(creation, await make(), found.holder);
    if (answer !== null) return answer;
    const { engine } = creation;
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
    found = await recorded(creation);
  }
  throw problem(
    'throttled',
    'Others kept creating under the same dedupe key. Nothing was created; try again.',
    {
      retry_after_seconds: 1,
    },
  );
}

/** Null when the dedupe key, or what it is linked to, was changed by another in the meantime. */
async function written(
  creation: Creation,
  { whole, links }: Made,
  holder: KeyHolder | null,
): Promise<Replayable<CreatedCard> | null> {
  const { engine, caller, board, body, repeat, row } = creation;
  const { job, card } = whole;
  const id = job.pk;
  const writes: Write[] = [
    { kind: 'put', item: job, condition: conditionOf('create', {}) },
    { kind: 'put', item: storedCard(card) },
    ...(links?.writes(job) ?? []),
  ];
  if (holder !== null)
    writes.push(takeKey(engine, { id, boardId: board.id, key: body.dedupe_key ?? '' }, holder));
  if (repeat !== null) {
    writes.push(
      recordWrite(engine, caller, repeat, { board_id: board.id, card_id: id, status: CREATED }, row),
    );
  }
  const outcome = await engine.store.transact(writes);
  if (outcome.ok) return { value: await viewOf(creation, whole, links), created: true, replayed: false };
  if (repeat !== null && outcome.refused.at(-1) !== null) {
    return replay(creation, await recordAfterRefusal(engine, caller, repeat, row));
  }
  return null;
}

async function viewOf(
  { engine, caller }: Creation,
  whole: WholeCard,
  links: BirthLinks | null,
): Promise<CardView> {
  if (links === null) return cardView(whole, engine.deps.now());
  await links.afterwards();
  return showCard(engine, await findCard(engine, caller, whole.job.pk));
}

/** The open card that has the key, recorded as this request's answer. Null when it has gone meanwhile. */
async function deduplicated(creation: Creation, cardId: string): Promise<Replayable<CreatedCard> | null> {
  const { engine, caller, board, repeat, row } = creation;
  if (repeat !== null) {
    const recorded = { board_id: board.id, card_id: cardId, status: DEDUPLICATED };
    const noted = await engine.store.write(recordWrite(engine, caller, repeat, recorded, row));
    if (!noted.ok) return replay(creation, await recordAfterRefusal(engine, caller, repeat, row));
  }
  const whole = await findCard(engine, caller, cardId);
  return {
    value: { ...(await showCard(engine, whole)), deduplicated: true },
    created: false,
    replayed: false,
  };
}

async function replay(creation: Creation, record: IdempotencyItem): Promise<Replayable<CreatedCard>> {
  const { engine, caller } = creation;
  const view = await showCard(engine, await findCard(engine, caller, record.card_id ?? ''));
  const created = record.status === CREATED;
  return { value: created ? view : { ...view, deduplicated: true }, created, replayed: true };
}
