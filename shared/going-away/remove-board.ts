/**
 * The end of a board: its cards one after the other, and last, once none has been found for a while, its columns,
 * its slug and itself. Removals are no events. Everything may be done twice and stopped anywhere.
 */
import { removeFiles } from '../attachments/remove.ts';
import { removeTokens } from '../auth/remove-tokens.ts';
import { readSlots, tidySlot, tidySlots } from '../claim/slots.ts';
import type { Engine } from '../engine.ts';
import { GOING_SETTLE_MS, STEP_CARDS } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { BoardSchema, CardSchema, JobSchema, type BoardItem, type GoingItem } from '../store/items.ts';
import {
  boardEntryKey,
  boardKey,
  cardKey,
  dedupeKey,
  graphKey,
  linkVersionKey,
  numberKey,
  slugKey,
  type Key,
} from '../store/keys.ts';
import { BY_BOARD_INDEX } from '../store/table.ts';
import { retentionDelete } from '../retention/register.ts';
import { removeImports } from '../transfer/register.ts';
import { removeWebhooks } from '../webhooks/webhook-rows.ts';
import { removeColumn } from './close-column.ts';
import { foundMore, goneDelete, isQuiet } from './register.ts';
import { removeEvents } from './remove-events.ts';

/** Goes on until nothing is found or the clock passes `until`. */
export async function removeBoard(engine: Engine, entry: GoingItem, until: number): Promise<void> {
  const item = await engine.store.get(boardKey(entry.sk));
  const board = item === undefined ? undefined : BoardSchema.parse(item);
  if (board?.deleting_at === undefined) {
    await engine.store.write(goneDelete(entry.sk));
    return;
  }
  // Until then some instance may still remember the board, and make or claim cards on it.
  if (engine.deps.now() - board.deleting_at < GOING_SETTLE_MS) return;
  if (await removeCards(engine, board.pk, until)) {
    await foundMore(engine, entry);
  } else if (isQuiet(engine, entry) && (await removeEvents(engine, board.pk, until))) {
    await removeRest(engine, board);
  }
}

/** True when it found a card. */
async function removeCards(engine: Engine, boardId: string, until: number): Promise<boolean> {
  let found = false;
  const cards = engine.store.pages({
    index: BY_BOARD_INDEX,
    pk: { name: 'board', value: boardId },
    limit: STEP_CARDS,
  });
  for await (const items of cards) {
    found ||= items.length > 0;
    await Promise.all(items.map(async (item) => removeCard(engine, boardId, String(item['pk']))));
    if (engine.deps.now() >= until) break;
  }
  return found;
}

/** CARD goes last: it is what the index finds the card by, should this stop half way. */
async function removeCard(engine: Engine, boardId: string, cardId: string): Promise<void> {
  const keys: Key[] = [];
  const under = engine.store.pages({ pk: { name: 'pk', value: cardId }, consistent: true });
  for await (const items of under) {
    keys.push(...items.map((item) => ({ pk: cardId, sk: String(item['sk']) })));
    await freeDedupeKeys(engine, boardId, items);
    await removeFiles(engine, items);
    await freeSlots(engine, items);
  }
  const last = cardKey(cardId);
  // That of a card which was broken down is kept for as long as the card.
  await engine.store.write({ kind: 'delete', key: graphKey(cardId) });
  for (const key of keys) if (key.sk !== last.sk) await engine.store.write({ kind: 'delete', key });
  await engine.store.write({ kind: 'delete', key: last });
}

/** A column's and a board's go with them; an agent's are found by the card that holds them alone. */
async function freeSlots(engine: Engine, items: readonly Record<string, unknown>[]): Promise<void> {
  for (const item of items) {
    const job = JobSchema.safeParse(item);
    if (job.success) await tidySlots(engine, job.data);
  }
}

async function freeDedupeKeys(
  engine: Engine,
  boardId: string,
  items: readonly Record<string, unknown>[],
): Promise<void> {
  for (const item of items) {
    const card = CardSchema.safeParse(item);
    if (card.data?.dedupe_key === undefined) continue;
    await engine.store.write({
      kind: 'delete',
      key: dedupeKey(boardId, card.data.dedupe_key),
      condition: expression('#card_id = :c_card_id', { card_id: card.data.pk }),
    });
  }
}

/** BOARD keeps the slug from others until it goes in the same write. */
async function removeRest(engine: Engine, board: BoardItem): Promise<void> {
  for (const columnId of board.column_ids) await removeColumn(engine, columnId);
  await removeWebhooks(engine, board.pk);
  await removeTokens(engine, board.pk);
  await removeImports(engine, board.pk);
  const slots = await readSlots(engine, { kind: 'board', scope: board.pk });
  for (const slot of slots) await tidySlot(engine, board.pk, slot);
  await engine.store.transact([
    { kind: 'delete', key: boardKey(board.pk) },
    { kind: 'delete', key: slugKey(board.slug) },
    { kind: 'delete', key: boardEntryKey(board.pk) },
    { kind: 'delete', key: numberKey(board.pk) },
    { kind: 'delete', key: linkVersionKey(board.pk) },
    retentionDelete(board.pk),
    goneDelete(board.pk),
  ]);
}
