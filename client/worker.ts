/**
 * The worker runner: claims cards of one queue, heartbeats while a handler works on them, settles them by what
 * the handler returns or throws, and gives back what it cannot finish.
 */
export { worker, Worker, type RunOptions } from './worker/worker.ts';
export { lambdaWorker, type RemainingTime } from './worker/lambda-worker.ts';
export type { Handler, JobContext } from './worker/context.ts';
export { abortOf, PermanentError, RetryAfter, WorkerAbort, type AbortKind } from './worker/errors.ts';
export type { CardRef, WorkerEvent } from './worker/events.ts';
export type { WorkerOptions } from './worker/options.ts';
export type { StandardSchema } from './worker/standard-schema.ts';
