/** What a handler is given. */
import type { Card, CardContext, Claim, Signals } from '../types.ts';
import type { HandOff } from './closing.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { HeldLease } from './held-lease.ts';

export interface JobContext<Payload = unknown> {
  readonly card: Card;
  /** The card's properties, as the worker's schema gave them back. */
  readonly payload: Payload;
  /** Aborts with a `WorkerAbort` when this work has to stop; hand it on to whatever waits. */
  readonly signal: AbortSignal;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Rises with every claim of the card: systems that remember the highest can refuse a zombie's write. */
  readonly fence: number;
  /** W3C trace context of whoever made the card, for the handler's spans to go on with; null for none. */
  readonly traceparent: string | null;
  /** For calls of one's own that only the holder may make; a secret. */
  readonly lease: { readonly id: string; readonly token: string };
  /** Comments and hand-offs, when the worker asked for them. */
  readonly context: CardContext | undefined;
  /** What the worker before this one had saved by `checkpoint`, when it was lost; else null. */
  readonly resumed: unknown;
  /** What the last heartbeat heard; null before the first. */
  readonly signals: () => Signals | null;
  /** Per cent done, shown on the board; told with a heartbeat soon. */
  readonly progress: (percent: number, note?: string) => void;
  /** A line on what goes on, shown on the board. */
  readonly note: (text: string) => void;
  /**
   * Saves a hand-off note (text, or anything JSON can hold, up to 8 KB) for whoever claims the card should this
   * worker be lost. Resolves once the server has it; rejects when it is too large or the card was settled before.
   */
  readonly checkpoint: (state: unknown) => Promise<void>;
  /** Summary, metadata and properties that the completion carries besides the returned output. */
  readonly handOff: (handOff: HandOff) => void;
  /** The completion moves the card here instead of to the contract's success column. */
  readonly moveTo: (columnId: string) => void;
}

/**
 * Does the work of one card. Returning completes it with that output; throwing fails it: `PermanentError` for
 * good, `RetryAfter` for later at no attempt's cost, anything else for another attempt.
 */
export type Handler<Payload = unknown> = (job: JobContext<Payload>) => unknown;

/** A handler's context. `handOff` is filled in by the handler's calls. */
export function jobContext<Payload>(
  lease: HeldLease,
  heartbeats: Heartbeats,
  payload: Payload,
  handOff: HandOff,
): JobContext<Payload> {
  const { claim } = lease;
  return {
    ...claimFacts(claim),
    payload,
    signal: lease.signal,
    signals: () => lease.signals,
    progress: (percent, note) => {
      void lease.report(note === undefined ? { progress: percent } : { progress: percent, note });
      heartbeats.hurry(lease);
    },
    note: (text) => {
      void lease.report({ note: text });
      heartbeats.hurry(lease);
    },
    checkpoint: (state) => {
      const saved = lease.report({ checkpoint: encodeCheckpoint(state) });
      heartbeats.hurry(lease, 0);
      return saved;
    },
    handOff: (parts) => {
      Object.assign(handOff, parts);
    },
    moveTo: (columnId) => {
      Object.assign(handOff, { column_id: columnId });
    },
  };
}

function claimFacts(claim: Claim) {
  return {
    card: claim.card,
    attempt: claim.attempt,
    maxAttempts: claim.max_attempts,
    fence: claim.fence,
    traceparent: claim.card.traceparent ?? null,
    lease: { id: claim.lease_id, token: claim.lease_token },
    context: claim.context,
    resumed: decodeCheckpoint(claim.card.abandoned_by?.checkpoint ?? null),
  };
}
