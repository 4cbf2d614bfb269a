/**
 * A board as rows, in the order in which they can be put back: the board, its columns, their contracts, the cards
 * oldest first with what lies under each, and last the links, which name cards. It is no snapshot: each card is as
 * it was when its row was read. Lazy: nothing is read before the rows ahead of it are taken.
 */
import type { Board } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { CorruptItem, readCardWithBody, readJob } from '../jobs.ts';
import type { WholeCard } from '../cards/read.ts';
import { readParents } from '../links/edges.ts';
import { readKnown } from '../links/read-known.ts';
import type { LinksRow, TransferRow } from '../schemas/transfer.ts';
import { cardKey, parentEdgeKey } from '../store/keys.ts';
import { BY_BOARD_INDEX } from '../store/table.ts';
import { aroundRows } from './around-rows.ts';
import { cardRow } from './card-row.ts';
import type { CardPosition, ExportPosition } from './export-position.ts';
import { headRows } from './head-rows.ts';
import { LINKS_PER_ROW } from './policy.ts';

/** A row, or null where there was none to make, and where an export goes on that ends with it. */
export interface ExportStep {
  readonly row: TransferRow | null;
  readonly next: ExportPosition;
}

/** Index entries that are read at a time. */
const PAGE = 100;

export async function* exportRows(
  engine: Engine,
  board: Board,
  from: ExportPosition,
): AsyncGenerator<ExportStep> {
  const { until } = from;
  if (from.stage === 'head') {
    const rows = await headRows(engine, board, until);
    for (const [at, row] of rows.entries()) {
      if (at >= from.at) yield { row, next: { stage: 'head', until, at: at + 1 } };
    }
  }
  if (from.stage !== 'links') {
    yield* cardsFrom(engine, board, from.stage === 'cards' ? from : { stage: 'cards', until });
  }
  yield* linksFrom(engine, board, from.stage === 'links' ? from : { stage: 'links', until });
}

async function* cardsFrom(engine: Engine, board: Board, from: CardPosition): AsyncGenerator<ExportStep> {
  const { stage, until } = from;
  if (from.card?.under !== undefined) yield* aroundOf(engine, from, from.card);
  for await (const card of entries(engine, board.id, from)) {
    const whole = await readable(engine, card.pk);
    if (whole === undefined) yield { row: null, next: { stage, until, card } };
    else if (whole === 'corrupt')
      yield { row: { type: 'unreadable', id: card.pk }, next: { stage, until, card } };
    else {
      yield { row: cardRow(whole), next: { stage, until, card: { ...card, under: '' } } };
      yield* aroundOf(engine, from, { ...card, under: '' });
    }
  }
}

async function* aroundOf(
  engine: Engine,
  { stage, until }: CardPosition,
  card: NonNullable<CardPosition['card']>,
): AsyncGenerator<ExportStep> {
  const job = await readJob(engine, card.pk);
  if (job === undefined || job.state === 'deleted') return;
  for await (const { row, under } of aroundRows(engine, job, card.under ?? '')) {
    yield { row, next: { stage, until, card: { ...card, under } } };
  }
}

/** Null for a card that is gone, or of a graph that is not committed. */
async function readable(engine: Engine, cardId: string): Promise<WholeCard | 'corrupt' | undefined> {
  try {
    return await readCardWithBody(engine, cardId);
  } catch (error) {
    if (error instanceof CorruptItem) return 'corrupt';
    throw error;
  }
}

async function* linksFrom(engine: Engine, board: Board, from: CardPosition): AsyncGenerator<ExportStep> {
  const { stage, until } = from;
  if (from.card?.under !== undefined) yield* linksOf(engine, board, from, from.card);
  for await (const card of entries(engine, board.id, from)) {
    yield* linksOf(engine, board, from, card);
    yield { row: null, next: { stage, until, card } };
  }
}

async function* linksOf(
  engine: Engine,
  board: Board,
  { stage, until }: CardPosition,
  card: NonNullable<CardPosition['card']>,
): AsyncGenerator<ExportStep> {
  const { under } = card;
  let start = under === undefined ? undefined : { ...parentEdgeKey(card.pk, under) };
  do {
    const { edges, next } = await readParents(engine, card.pk, { limit: LINKS_PER_ROW, start });
    const last = edges.at(-1);
    if (last === undefined) return;
    const row = await linksRow(engine, board, card.pk, edges, next !== undefined);
    if (row === null) return;
    // Without `under` the card is done with.
    const seen = { pk: card.pk, created: card.created };
    const rest = next === undefined ? {} : { under: last.parent };
    yield { row, next: { stage, until, card: { ...seen, ...rest } } };
    start = next === undefined ? undefined : { ...parentEdgeKey(card.pk, last.parent) };
  } while (start !== undefined);
}

/** Null for a card that does not exist, or not yet. */
async function linksRow(
  engine: Engine,
  board: Board,
  child: string,
  edges: Awaited<ReturnType<typeof readParents>>['edges'],
  more: boolean,
): Promise<LinksRow | null> {
  const known = await readKnown(engine, [child, ...edges.map(({ parent }) => parent)], board.id);
  if (!known.has(child)) return null;
  const named = (sub: boolean) => edges.filter((edge) => edge.sub === sub).map(({ parent }) => parent);
  const [parents, subs] = [named(false), named(true)];
  const gone = [...parents, ...subs].filter((id) => !known.has(id));
  return {
    type: 'links',
    card_id: child,
    ...(parents.length > 0 ? { parents } : {}),
    ...(subs.length > 0 ? { sub_cards: subs } : {}),
    ...(gone.length > 0 ? { gone } : {}),
    ...(more ? { more: true } : {}),
  };
}

/** The board's cards behind a position, oldest first, up to when the export began. As late as the index is. */
async function* entries(
  engine: Engine,
  boardId: string,
  { until, card }: CardPosition,
): AsyncGenerator<{ pk: string; created: string }> {
  const pages = engine.store.pages({
    index: BY_BOARD_INDEX,
    pk: { name: 'board', value: boardId },
    sk: { name: 'created', until },
    limit: PAGE,
    ...(card === undefined ? {} : { start: { ...cardKey(card.pk), board: boardId, created: card.created } }),
  });
  for await (const items of pages) {
    for (const { pk, created } of items) yield { pk: String(pk), created: String(created) };
  }
}
