/**
 * What the client takes from the platform it runs on: requests, time, timers and randomness.
 *
 * The one place in client/ that touches globals, so that tests (and a demo that unplugs a worker) can hand in
 * their own. Nothing here may need Node: the same code runs in browsers and Lambda.
 */

/** Stops a timer; calling it again, or after the timer has fired, does nothing. */
export type CancelTimer = () => void;

export interface Platform {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds that only ever rise: a lease's deadline must not jump when the wall clock is corrected. */
  readonly monotonicMs: () => number;
  /** 0 up to, not including, 1. */
  readonly random: () => number;
  /** A key nobody else has used: it makes repeating a create or a claim safe. */
  readonly newKey: () => string;
  readonly setTimer: (milliseconds: number, fire: () => void) => CancelTimer;
}

/** setTimeout fires at once beyond this, 2^31 - 1 ms, so longer waits are cut to it. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const PLATFORM: Platform = {
  fetch: (input, init) => globalThis.fetch(input, init),
  monotonicMs: () => globalThis.performance.now(),
  random: () => Math.random(),
  newKey: () => globalThis.crypto.randomUUID(),
  setTimer: (milliseconds, fire) => {
    const timer = setTimeout(fire, Math.min(milliseconds, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/**
 * Resolves after `milliseconds`, or rejects with the signal's reason as soon as it aborts.
 */
export async function sleep(platform: Platform, milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const cancel = platform.setTimer(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
