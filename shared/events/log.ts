/**
 * The log: each event's row under its card or board, put if absent. Everybody downstream sends the row's text, so
 * that a redelivery is equal to the byte though the card has changed since.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { eventId } from '../ids.ts';
import { ABSENT } from '../store/conditions.ts';
import { EventRowSchema, type EventRow } from '../store/event-items.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { eventKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { Happened } from './from-record.ts';

/** Deflate's best: a row is written once and a millisecond is nothing beside a write unit. */
const LEVEL = 9;

/** An event on its way out. */
export interface OutgoingEvent {
  readonly id: string;
  readonly type: string;
  /** Id of the card or the board in whose sequence it counts. */
  readonly subject: string;
  readonly sequence: number;
  readonly boardId: string;
  readonly cardId: string | null;
  /** When it happened, in ms. */
  readonly at: number;
  /** The envelope as JSON: what is sent, to the byte. */
  readonly text: string;
  /** The feed's last page when the event was logged. */
  readonly afterPage: number;
  /** It was logged before: this is a redelivery. */
  readonly again: boolean;
  /** Number of its record in the stream. */
  readonly record: string;
}

/**
 * Logs an event, unless it is logged already.
 *
 * @param text Its envelope; of no account when it is logged already.
 * @param afterPage The feed's last page, or any earlier one.
 * @param keptUntil Milliseconds since the epoch.
 */
export async function logEvent(
  store: Store,
  event: Happened,
  text: string,
  afterPage: number,
  keptUntil: number,
): Promise<OutgoingEvent> {
  const row: EventRow = {
    ...eventKey(event.subject, event.sequence),
    v: LAYOUT_VERSION,
    board_id: event.boardId,
    type: event.type,
    event: deflateRawSync(text, { level: LEVEL }),
    after_page: afterPage,
    ttl: Math.ceil(keptUntil / 1_000),
  };
  const written = await store.write({ kind: 'put', item: row, condition: ABSENT });
  const kept = written.ok ? row : EventRowSchema.parse(written.old);
  const { type, subject, sequence, boardId, cardId, at, record } = event;
  return {
    id: eventId(subject, sequence),
    type,
    subject,
    sequence,
    boardId,
    cardId,
    at,
    text: textOfRow(kept),
    afterPage: kept.after_page,
    again: !written.ok,
    record,
  };
}

export function textOfRow(row: EventRow): string {
  return inflateRawSync(row.event).toString('utf8');
}
