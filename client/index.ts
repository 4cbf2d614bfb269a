/**
 * What `leaseboard/client` exports: the typed client of the HTTP API and the worker runner. Depends on the
 * platform's `fetch` and nothing else: Node, Lambda, browsers.
 */
export { LeaseboardClient, type ClientOptions } from './client.ts';
export type { RequestOptions } from './call.ts';
export { isLeaseboardError, LeaseboardError, type ErrorCode } from './errors.ts';
export { everyItem } from './paging.ts';
export { PLATFORM, type Platform } from './platform.ts';
export type { FieldError, LeaseLossReason, Problem, ServerCode } from './problem.ts';
export type * from './types.ts';
export {
  verifyWebhook,
  type VerifyOptions,
  type WebhookHeaders,
  type WebhookVerdict,
} from './verify-webhook.ts';
export * from './worker.ts';
