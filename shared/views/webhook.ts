/** Webhooks and deliveries as the API shows them: never a secret but in the answer that makes it. */
import type { Attempt, DeliveryItem, EndpointItem, WebhookItem } from '../store/webhook-items.ts';
import { deliveryId } from '../webhooks/delivery-id.ts';
import { isRotating } from '../webhooks/webhook.ts';
import { iso, isoOrNull } from './time.ts';

export function webhookView(webhook: WebhookItem, endpoint: EndpointItem, now: number) {
  return {
    id: webhook.webhook_id,
    board_id: webhook.board_id,
    url: webhook.url,
    types: webhook.types ?? null,
    card_id: webhook.card_id ?? null,
    include_children: webhook.children === true,
    description: webhook.description ?? null,
    enabled: webhook.enabled,
    disabled_reason: webhook.disabled_reason ?? null,
    disabled_at: isoOrNull(webhook.disabled_at),
    failing_since: isoOrNull(endpoint.failing_since),
    last_delivered_at: isoOrNull(endpoint.delivered_at),
    previous_secret_expires_at: isRotating(webhook, now) ? isoOrNull(webhook.old_secret_until) : null,
    recovering_since: isoOrNull(webhook.recovery?.since),
    created_by: webhook.created_by,
    created_at: iso(webhook.created_at),
    updated_at: iso(webhook.updated_at),
  };
}
export type WebhookView = ReturnType<typeof webhookView>;

/** @param body The event as it is sent; null when it is no longer kept. */
export function deliveryView(row: DeliveryItem, body: string | null) {
  const isAsked = row.by_hand_at !== undefined;
  return {
    id: deliveryId(row.event_id, row.webhook_id),
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type: row.type,
    status: isAsked ? ('pending' as const) : row.status,
    attempts: row.attempts.map(attemptView),
    next_attempt_at: isoOrNull(isAsked ? row.by_hand_at : row.next_attempt_at),
    created_at: iso(row.created_at),
    request: { headers: { 'content-type': 'application/json', 'webhook-id': row.event_id }, body },
  };
}
export type DeliveryView = ReturnType<typeof deliveryView>;

function attemptView(attempt: Attempt) {
  return {
    at: iso(attempt.at),
    url: attempt.url,
    status_code: attempt.status_code ?? null,
    duration_ms: attempt.duration_ms,
    response_excerpt: attempt.response_excerpt ?? null,
    error: attempt.error ?? null,
  };
}
