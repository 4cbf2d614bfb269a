/** What a person or an orchestrator does to a card, without a lease. */
import { at, once, type RequestOptions, type Send } from '../call.ts';
import type { BlockKind, Card, Forced, JsonObject, Place } from '../types.ts';

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
    unblock: (card: string, options?: RequestOptions) => verb(card, 'unblock', {}, options),
    hold: (card: string, options?: RequestOptions) => verb(card, 'hold', {}, options),
    unhold: (card: string, options?: RequestOptions) => verb(card, 'unhold', {}, options),
    promote: (card: string, options?: RequestOptions) => verb(card, 'promote', {}, options),
    assign: (card: string, assignee: string | null, options?: RequestOptions) =>
      verb(card, 'assign', { assignee }, options),
    reopen: (card: string, options?: RequestOptions) => verb(card, 'reopen', {}, options),
    reopenReview: (card: string, options?: RequestOptions) => verb(card, 'reopen-review', {}, options),
    archive: (card: string, forced: Forced = {}, options?: RequestOptions) =>
      verb(card, 'archive', forced, options),
    unarchive: (card: string, options?: RequestOptions) => verb(card, 'unarchive', {}, options),
    redrive: (card: string, options?: RequestOptions) => verb(card, 'redrive', {}, options),
    /** Asks the holder to stop; it hears of it at its next heartbeat. */
    requestCancel: (card: string, reason: string, options?: RequestOptions) =>
      verb(card, 'request-cancel', { reason }, options),
    /** Ends the lease; the card goes back to its queue, the attempt stays used. */
    reclaim: (card: string, reason: string, options?: RequestOptions) =>
      verb(card, 'reclaim', { reason }, options),
  };
}
