/** What an envelope tells beyond its record, read for a whole batch at once: card, ended run, column. */
import { CardSchema, ColumnSchema, RunSchema } from '../store/items.ts';
import { cardKey, columnKey, runKey, type Key } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { Surroundings } from './envelope.ts';
import type { Happened } from './from-record.ts';
import { reportedOutcomes } from './types.ts';

interface Wanted {
  readonly card: Key | null;
  readonly run: Key | null;
  readonly column: Key | null;
}

/**
 * In the order of the events. What has gone in the meantime, or cannot be read by this version, is left out.
 *
 * @throws when the table does not answer.
 */
export async function readSurroundings(
  store: Store,
  events: readonly Happened[],
): Promise<readonly Surroundings[]> {
  const wanted = events.map(wantedOf);
  const keys = wanted.flatMap(({ card, run, column }) => [card, run, column]).filter((key) => key !== null);
  const items = keys.length === 0 ? [] : await store.batchGet(keys);
  const nextItem = (key: Key | null): unknown => (key === null ? undefined : items.shift());
  return wanted.map(({ card, run, column }) => ({
    card: CardSchema.safeParse(nextItem(card)).data,
    run: RunSchema.safeParse(nextItem(run)).data,
    column: ColumnSchema.safeParse(nextItem(column)).data,
  }));
}

function wantedOf({ cardId, columnId, type, note }: Happened): Wanted {
  if (cardId === null)
    return { card: null, run: null, column: columnId === null ? null : columnKey(columnId) };
  const run = reportedOutcomes(type).length > 0 ? (note?.lease?.run ?? note?.run) : undefined;
  return { card: cardKey(cardId), run: run === undefined ? null : runKey(cardId, run), column: null };
}
