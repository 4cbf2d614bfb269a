/**
 * The envelope: one event as everybody gets it, in the feed, in webhooks and on EventBridge. It never holds a
 * lease token or a nonce, and it is bounded. Content never makes it fail: what cannot be formatted goes out as ids
 * and type, since a gap would be worse.
 */
import { leaseId, eventId, runId } from '../ids.ts';
import { EVENT_BYTES, EVENT_LINE_CHARACTERS } from '../policy.ts';
import type { Actor, Card, ColumnItem, EventNote, Job, Run } from '../store/items.ts';
import { bytesOf } from '../text.ts';
import { cardSummary, type CardSummary } from '../views/card.ts';
import { iso, isoOrNull } from '../views/time.ts';
import type { Happened } from './from-record.ts';
import { reportedOutcomes } from './types.ts';

export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** Gapless per card, and per board for the events of the board, its columns and webhooks. */
  readonly sequence: number;
  readonly board_id: string;
  readonly column_id: string | null;
  readonly card_id: string | null;
  readonly actor: Actor;
  /** Where the card was before. */
  readonly previous: { readonly column_id: string; readonly state: string } | null;
  /** Of the request that made the card (W3C trace context). */
  readonly traceparent: string | null;
  readonly data: EventData;
}

export interface EventData {
  readonly card: CardSummary | null;
  readonly lease: EventLease | null;
  readonly run: EventRun | null;
  readonly board: { readonly id: string; readonly slug: string; readonly name: string } | null;
  readonly column: { readonly id: string; readonly name: string; readonly role: string } | null;
  readonly webhook: { readonly id: string } | null;
  readonly reason: string | null;
}

export interface EventLease {
  readonly id: string;
  readonly agent: string;
  readonly attempt: number;
  readonly claimed_at: string;
  readonly expires_at: string;
}

/** How an attempt ended; of summary and error the first line. */
export interface EventRun {
  readonly id: string;
  readonly number: number;
  readonly attempt: number;
  readonly agent: string | null;
  readonly outcome: string;
  readonly summary: string | null;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly next_attempt_at: string | null;
}

/** What the record does not tell, read beside it; undefined for what is not, or no longer, there. */
export interface Surroundings {
  readonly card?: Card | undefined;
  readonly run?: Run | undefined;
  readonly column?: ColumnItem | undefined;
}

/** By code points: no character is split. */
const FIRST_LINE = new RegExp(`^[^\\r\\n]{0,${EVENT_LINE_CHARACTERS}}`, 'u');

const NO_DATA: EventData = {
  card: null,
  lease: null,
  run: null,
  board: null,
  column: null,
  webhook: null,
  reason: null,
};

/** An event of which no more is left than this: unreadable, or its card was deleted with all that was known of it. */
export function bareEnvelope(
  event: Pick<Happened, 'subject' | 'sequence' | 'type' | 'boardId' | 'cardId'>,
  at: number,
): EventEnvelope {
  return {
    id: eventId(event.subject, event.sequence),
    type: event.type,
    timestamp: iso(at),
    sequence: event.sequence,
    board_id: event.boardId,
    column_id: null,
    card_id: event.cardId,
    actor: { type: 'system', id: 'unknown' },
    previous: null,
    traceparent: null,
    data: NO_DATA,
  };
}

/**
 * The envelope as text.
 *
 * @param failed Told of an event that goes out as ids and type only, and why.
 */
export function formatEvent(
  event: Happened,
  surroundings: Surroundings,
  failed: (error: unknown) => void,
): string {
  try {
    const text = JSON.stringify(envelopeOf(event, surroundings));
    if (bytesOf(text) <= EVENT_BYTES) return text;
    throw new RangeError(`The event has ${bytesOf(text)} bytes, and at most ${EVENT_BYTES} are sent`);
  } catch (error) {
    failed(error);
    const bare = bareEnvelope(event, event.at);
    return JSON.stringify({ ...bare, column_id: event.columnId, actor: event.note?.by ?? bare.actor });
  }
}

function envelopeOf(event: Happened, surroundings: Surroundings): EventEnvelope {
  const { note, job, board } = event;
  if (note === undefined) throw new TypeError('The event is not noted as this version knows it');
  return {
    ...bareEnvelope(event, event.at),
    column_id: event.columnId,
    actor: { type: note.by.type, id: note.by.id },
    previous: note.from === undefined ? null : { column_id: note.from.column_id, state: note.from.state },
    traceparent: surroundings.card?.traceparent ?? null,
    data: {
      card: cardOf(job, surroundings.card, event.at),
      lease: leaseOf(event, note),
      run: runOf(event, note, surroundings.run),
      board: board === undefined ? null : { id: board.pk, slug: board.slug, name: board.name },
      column: columnOf(surroundings.column),
      webhook: note.webhook_id === undefined ? null : { id: note.webhook_id },
      reason: note.reason ?? null,
    },
  };
}

function cardOf(job: Job | undefined, card: Card | undefined, at: number): CardSummary | null {
  return job === undefined || card === undefined ? null : cardSummary({ job, card }, at);
}

function columnOf(column: ColumnItem | undefined): EventData['column'] {
  return column === undefined ? null : { id: column.pk, name: column.name, role: column.role };
}

/** A claim that has not read the card notes no lease: it is the card's present one. */
function leaseOf({ subject, type, job }: Happened, note: EventNote): EventLease | null {
  const own = type === 'card.lease.claimed' ? job : undefined;
  const { agent, claimed_at, expires_at } = note.lease ?? own ?? {};
  if (agent === undefined || claimed_at === undefined || expires_at === undefined) return null;
  const { run, attempt } = note.lease ?? { run: own?.run ?? 0, attempt: own?.attempt ?? 0 };
  return {
    id: leaseId(subject, run),
    agent,
    attempt,
    claimed_at: iso(claimed_at),
    expires_at: iso(expires_at),
  };
}

function runOf(event: Happened, note: EventNote, run: Run | undefined): EventRun | null {
  if (run?.outcome === undefined || run.number !== (note.lease?.run ?? note.run)) return null;
  if (!reportedOutcomes(event.type).includes(run.outcome)) return null;
  return {
    id: runId(event.subject, run.number),
    number: run.number,
    attempt: run.attempt ?? note.lease?.attempt ?? 0,
    agent: run.agent ?? null,
    outcome: run.outcome,
    summary: firstLine(run.summary),
    error: firstLine(run.error),
    started_at: isoOrNull(run.started_at),
    ended_at: isoOrNull(run.ended_at),
    next_attempt_at: isoOrNull(run.next_attempt_at),
  };
}

function firstLine(text: string | undefined): string | null {
  if (text === undefined) return null;
  return FIRST_LINE.exec(text.trimStart())?.[0] ?? '';
}
