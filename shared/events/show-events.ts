/** Events as the feed and a card's history answer them: the logged text, or what the feed alone still knows. */
import { EventRowSchema } from '../store/event-items.ts';
import type { Store } from '../store/store.ts';
import { bareEnvelope, type EventEnvelope } from './envelope.ts';
import { entryCardId, entryKey } from './feed-entry.ts';
import { textOfRow } from './log.ts';
import type { FedEntry } from './read-feed.ts';

/** The event within a row of the log. */
export function eventOfRow(item: unknown): EventEnvelope {
  const envelope: EventEnvelope = JSON.parse(textOfRow(EventRowSchema.parse(item)));
  return envelope;
}

/** In the order of the entries. Of a card that was deleted with its log, ids and type are left. */
export async function showEntries(
  store: Store,
  boardId: string,
  entries: readonly FedEntry[],
): Promise<EventEnvelope[]> {
  const rows = await store.batchGet(entries.map(entryKey));
  return entries.map((entry, at) => {
    const row = rows[at];
    if (row !== undefined) return eventOfRow(row);
    return bareEnvelope({ ...entry, boardId, cardId: entryCardId(entry) }, entry.fedAt);
  });
}
