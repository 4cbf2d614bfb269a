/** The feed of a board's events, and the webhooks that push them. */
import { at, change, once, read, remove, repeatable, type RequestOptions, type Send } from '../call.ts';
import type {
  Delivery,
  DeliveryStatus,
  EventPage,
  EventQuery,
  Page,
  PageQuery,
  SecretRotation,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
} from '../types.ts';

export function eventRoutes(send: Send) {
  return {
    /** From `since`, nothing skipped; waits up to `wait_seconds` for the next one. */
    list: (board: string, query: EventQuery = {}, options?: RequestOptions) =>
      send<EventPage>(
        {
          ...read(at`/v1/boards/${board}/events`, { ...query }),
          serverWaitMs: (query.wait_seconds ?? 0) * 1000,
        },
        options,
      ),
  };
}

export function webhookRoutes(send: Send) {
  const path = (board: string, webhook: string): string => at`/v1/boards/${board}/webhooks/${webhook}`;
  return {
    /** Not repeated when its answer is lost: it shows the secret, once. */
    create: (board: string, input: WebhookInput, options?: RequestOptions) =>
      send<WebhookWithSecret>(once(at`/v1/boards/${board}/webhooks`, input), options),
    list: (board: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Webhook>>(read(at`/v1/boards/${board}/webhooks`, { ...query }), options),
    get: (board: string, webhook: string, options?: RequestOptions) =>
      send<Webhook>(read(path(board, webhook)), options),
    update: (board: string, webhook: string, patch: WebhookPatch, options?: RequestOptions) =>
      send<Webhook>(change(path(board, webhook), patch), options),
    delete: (board: string, webhook: string, options?: RequestOptions) =>
      send<void>(remove(path(board, webhook)), options),
    /** Not repeated when its answer is lost: it shows the secret, once. */
    rotateSecret: (board: string, webhook: string, input: SecretRotation = {}, options?: RequestOptions) =>
      send<WebhookWithSecret>(once(`${path(board, webhook)}:rotate-secret`, input), options),
    test: (board: string, webhook: string, options?: RequestOptions) =>
      send<Delivery>(once(`${path(board, webhook)}:test`), options),
    enable: (board: string, webhook: string, options?: RequestOptions) =>
      send<Webhook>(repeatable(`${path(board, webhook)}:enable`), options),
    deliveries: (
      board: string,
      webhook: string,
      query: PageQuery & { status?: DeliveryStatus } = {},
      options?: RequestOptions,
    ) => send<Page<Delivery>>(read(`${path(board, webhook)}/deliveries`, { ...query }), options),
    redeliver: (delivery: string, options?: RequestOptions) =>
      send<Delivery>(once(at`/v1/deliveries/${delivery}:redeliver`), options),
    /** Sends again all that failed since a time. */
    recover: (board: string, webhook: string, since: string, options?: RequestOptions) =>
      send<Webhook>(once(`${path(board, webhook)}:recover`, { since }), options),
  };
}
