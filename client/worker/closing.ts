/** How a card is settled: a pure function from what became of its handler. */
import type { CompleteInput, FailKind } from '../types.ts';
import { PermanentError, RetryAfter, type AbortKind, type WorkerAbort } from './errors.ts';
import { LONGEST_REASON_BYTES, LONGEST_RETRY_AFTER_SECONDS } from './options.ts';

export type HandOff = Pick<CompleteInput, 'summary' | 'metadata' | 'properties' | 'column_id'>;

/** What became of a handler. `aborted` may come with either: a handler may finish although told to stop. */
export type Ending =
  | { readonly kind: 'returned'; readonly output: unknown; readonly handOff: HandOff }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'invalid_payload'; readonly problem: string };

export type Closing =
  | { readonly verb: 'complete'; readonly output: unknown; readonly handOff: HandOff }
  | {
      readonly verb: 'fail';
      readonly reason: string;
      readonly kind: FailKind;
      readonly retryable?: false;
      readonly retryAfterSeconds?: number;
    }
  | { readonly verb: 'release'; readonly note: string; readonly why: AbortKind | 'draining' | 'parents_open' }
  | { readonly verb: 'block'; readonly reason: string }
  | { readonly verb: 'none'; readonly detail: string };

/**
 * The verb that ends the lease.
 * Work that is done is handed in even after an abort: the server takes a late completion while nobody else has
 * the card. What a handler throws after its abort is only the abort's echo.
 */
export function closingOf(ending: Ending, abort: WorkerAbort | undefined): Closing {
  if (abort?.kind === 'lease_lost') return { verb: 'none', detail: abort.message };
  if (ending.kind === 'returned') {
    return { verb: 'complete', output: ending.output, handOff: ending.handOff };
  }
  if (abort?.kind === 'cancelled') return { verb: 'block', reason: clip(abort.message) };
  if (abort !== undefined) return { verb: 'release', note: clip(abort.message), why: abort.kind };
  if (ending.kind === 'invalid_payload') {
    return { verb: 'fail', reason: clip(ending.problem), kind: 'invalid_input', retryable: false };
  }
  return failureOf(ending.error);
}

/** How a thrown error fails a card: typed errors by name, so that two copies of this module agree. */
export function failureOf(error: unknown): Closing {
  const reason = clip(wordsOf(error));
  if (error instanceof RetryAfter || named(error, 'RetryAfter')) {
    // Of another copy of this module, or of a subclass: not everything that is called so counts.
    const seconds = Math.ceil(Number(Reflect.get(error, 'seconds'))) || 0;
    const retryAfterSeconds = Math.min(Math.max(0, seconds), LONGEST_RETRY_AFTER_SECONDS);
    return { verb: 'fail', reason, kind: 'rate_limited', retryAfterSeconds };
  }
  if (error instanceof PermanentError || named(error, 'PermanentError')) {
    return { verb: 'fail', reason, kind: 'error', retryable: false };
  }
  return { verb: 'fail', reason, kind: 'error' };
}

/** Names that say nothing which the card does not say as well. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['Error', 'PermanentError', 'RetryAfter']);

function named(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** Anything can be thrown, and some of it breaks when it is to become a text. */
function wordsOf(error: unknown): string {
  try {
    return reasonOf(error);
  } catch {
    return 'Thrown: something that cannot be put into words';
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `Thrown: ${String(error)}`;
  const kind = PLAIN_NAMES.has(error.name) ? '' : `${error.name}: `;
  return `${kind}${error.message || error.name}`;
}

/**
 * First bytes of a text, cut between characters: the server refuses a longer reason, and one with half a surrogate
 * pair, and the card with it. Encoding mends halves.
 */
function clip(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= LONGEST_REASON_BYTES) return new TextDecoder().decode(bytes);
  const room = LONGEST_REASON_BYTES - new TextEncoder().encode('…').length;
  return `${new TextDecoder().decode(bytes.subarray(0, room)).replace(/\uFFFD+$/u, '')}…`;
}
