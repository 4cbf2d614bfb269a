/** What a handler throws to say how its card goes on, and what its signal aborts with. */

/** The card cannot be done, however often it is tried: it is dead-lettered now. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** Not now: the card comes back after `seconds`, and the attempt is given back (a bounded number of times). */
export class RetryAfter extends Error {
  override readonly name = 'RetryAfter';
  readonly seconds: number;

  constructor(seconds: number, message = `Try again in ${seconds} s`) {
    super(message);
    if (!(seconds >= 0)) throw new RangeError(`RetryAfter takes seconds of at least 0, not ${seconds}`);
    this.seconds = seconds;
  }
}

/**
 * Why the handler has to stop.
 * - `lease_lost`: the card is another's, or nobody's; whatever this worker still writes to it is refused.
 * - `cancelled`: a person asked to stop, with a reason.
 * - `shutdown`: this worker is going down; the card is given back.
 * - `deadline`: no renewal got through for a whole lease, so the card may be another's by now.
 */
export type AbortKind = 'lease_lost' | 'cancelled' | 'shutdown' | 'deadline';

/** The reason of a handler's aborted signal. */
export class WorkerAbort extends Error {
  override readonly name = 'WorkerAbort';
  readonly kind: AbortKind;

  constructor(kind: AbortKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The typed reason of an aborted handler's signal, undefined while it may go on. */
export function abortOf(signal: AbortSignal): WorkerAbort | undefined {
  return signal.aborted && signal.reason instanceof WorkerAbort ? signal.reason : undefined;
}
