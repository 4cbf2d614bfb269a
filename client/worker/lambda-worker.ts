/**
 * A worker inside a function that something wakes (a schedule, a queue's message, an event): it drains the column
 * and is done before the function's time is up.
 */
import type { Handler } from './context.ts';
import { Worker } from './worker.ts';
import type { WorkerOptions } from './options.ts';

/** The part of a Lambda context that is needed; no types of Lambda's come with the client. */
export interface RemainingTime {
  getRemainingTimeInMillis(): number;
}

/** Claims end this long before the function does. */
const STOP_BEFORE_END_MS = 15_000;
/** Of that, what handlers may still use; the rest is for giving their cards back. */
const GRACE_SECONDS = 10;

/**
 * A function's handler that works the column until it is empty or time runs short. What woke it is not looked at:
 * the card is the message. `makeWorker` is for tests.
 */
export function lambdaWorker<Payload = unknown>(
  options: WorkerOptions<Payload>,
  handler: Handler<Payload>,
  makeWorker: (options: WorkerOptions<Payload>, handler: Handler<Payload>) => Worker<Payload> = (made, by) =>
    new Worker(made, by),
): (event: unknown, context: RemainingTime) => Promise<void> {
  return async (_event, context) => {
    const worker = makeWorker(
      { waitSeconds: 0, ...options, handleSignals: false, shutdownGraceSeconds: GRACE_SECONDS },
      handler,
    );
    const timeIsShort = new AbortController();
    const leftMs = Math.max(0, context.getRemainingTimeInMillis() - STOP_BEFORE_END_MS);
    const cancel = options.client.platform.setTimer(leftMs, () => timeIsShort.abort());
    try {
      await worker.run({ untilEmpty: true, signal: timeIsShort.signal });
    } finally {
      cancel();
    }
  };
}
