/** What a person or an orchestrator does to a card, without a lease. */
import { at, once, type RequestOptions, type Send } from '../call.ts';
import type { BlockKind, Card, Forced, JsonObject, Place } from '../types.ts';

/** Why, for the card's events and whoever reads them. */
export interface Reasoned {
  readonly reason?: string;
}

export function cardVerbs(send: Send) {
  const verb = (card: string, name: string, body: object, options?: RequestOptions): Promise<Card> =>
    send<Card>(once(`${at`/v1/cards/${card}`}:${name}`, body), options);
  return {
    move: (card: string, place: Place & Forced, options?: RequestOptions) =>
      verb(card, 'move', place, options),
    complete: (
      card: string,
      input: { summary?: string; output?: unknown; metadata?: JsonObject } = {},
      options?: RequestOptions,
    ) => verb(card, 'complete', input, options),
    block: (card: string, input: { kind?: BlockKind; reason: string }, options?: RequestOptions) =>
      verb(card, 'block', input, options),
    unblock: (card: string, why: Reasoned = {}, options?: RequestOptions) =>
      verb(card, 'unblock', why, options),
    hold: (card: string, why: Reasoned = {}, options?: RequestOptions) => verb(card, 'hold', why, options),
    unhold: (card: string, why: Reasoned = {}, options?: RequestOptions) =>
      verb(card, 'unhold', why, options),
    promote: (card: string, options?: RequestOptions) => verb(card, 'promote', {}, options),
    assign: (card: string, assignee: string | null, forced: Forced = {}, options?: RequestOptions) =>
      verb(card, 'assign', { assignee, ...forced }, options),
    /** In the column that it came from, or in the one that is named. */
    reopen: (card: string, input: Reasoned & { column_id?: string } = {}, options?: RequestOptions) =>
      verb(card, 'reopen', input, options),
    reopenReview: (card: string, why: Reasoned = {}, options?: RequestOptions) =>
      verb(card, 'reopen-review', why, options),
    archive: (card: string, forced: Forced = {}, options?: RequestOptions) =>
      verb(card, 'archive', forced, options),
    unarchive: (card: string, options?: RequestOptions) => verb(card, 'unarchive', {}, options),
    redrive: (card: string, why: Reasoned = {}, options?: RequestOptions) =>
      verb(card, 'redrive', why, options),
    /** Asks the holder to stop; it hears of it at its next heartbeat. */
    requestCancel: (card: string, reason: string, options?: RequestOptions) =>
      verb(card, 'request-cancel', { reason }, options),
    /** Ends the lease; the card goes back to its queue, the attempt stays used. */
    reclaim: (card: string, reason: string, options?: RequestOptions) =>
      verb(card, 'reclaim', { reason }, options),
  };
}
