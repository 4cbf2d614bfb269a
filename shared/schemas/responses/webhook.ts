/** Webhooks and deliveries as the API answers them. */
import * as z from 'zod';
import { DELIVERY_STATUSES, DISABLED_REASONS } from '../../store/webhook-items.ts';
import { count, text, textOrNull, Time, TimeOrNull } from './parts.ts';

const webhook = {
  id: text,
  board_id: text,
  url: text,
  types: z.array(text).nullable().meta({ description: 'Null: every type' }),
  card_id: textOrNull,
  include_children: z
    .boolean()
    .meta({ description: 'Events of the children and sub-cards of `card_id` too' }),
  description: textOrNull,
  enabled: z.boolean(),
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  disabled_at: TimeOrNull,
  failing_since: TimeOrNull.meta({ description: 'Since when there were only failures' }),
  last_delivered_at: TimeOrNull,
  previous_secret_expires_at: TimeOrNull.meta({ description: 'Until when two secrets sign' }),
  recovering_since: TimeOrNull.meta({ description: 'Events since then are being sent again' }),
  created_by: text,
  created_at: Time,
  updated_at: Time,
};

export const WebhookAnswer = z.object(webhook).meta({ id: 'Webhook' });

export const WebhookSecretAnswer = z
  .object({ ...webhook, secret: text.meta({ description: '`whsec_...`, shown here and never again' }) })
  .meta({ id: 'WebhookSecret' });

const attempt = z.object({
  at: Time,
  url: text,
  status_code: count.nullable(),
  duration_ms: count,
  response_excerpt: textOrNull.meta({ description: 'The first 1,024 bytes of the answer' }),
  error: textOrNull,
});

export const DeliveryAnswer = z
  .object({
    id: text,
    webhook_id: text,
    event_id: text,
    type: text,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(attempt).meta({ description: 'The latest 20, oldest first' }),
    next_attempt_at: TimeOrNull,
    created_at: Time,
    request: z
      .object({
        headers: z.record(z.string(), text).meta({ description: 'Without the signature' }),
        body: textOrNull.meta({ description: 'Null once the event is no longer kept' }),
      })
      .meta({ description: 'What is sent at each attempt, to the byte' }),
  })
  .meta({ id: 'Delivery' });
