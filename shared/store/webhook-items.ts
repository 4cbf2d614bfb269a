/** The stored shape of webhooks, of what is known of their endpoints, and of what was sent to them. */
import * as z from 'zod';

const ms = z.number();
const common = { pk: z.string(), sk: z.string(), v: z.number(), board_id: z.string() };

/** Why a webhook is not enabled: by hand, after days of failures, at its receiver's word, or with its card. */
export const DISABLED_REASONS = ['by_hand', 'failing', 'gone', 'asked', 'card_archived'] as const;

/** A recovery under way: the next place in the feed, and the feed's last page when it was asked for. */
const RecoverySchema = z.object({ since: ms, page: z.number(), offset: z.number(), until_page: z.number() });

/** WEBHOOK: where to send which events of a board. Its secrets are sealed: see shared/webhooks/secret.ts. */
export const WebhookSchema = z.object({
  ...common,
  webhook_id: z.string(),
  url: z.string(),
  types: z.array(z.string()).optional(),
  card_id: z.string().optional(),
  /** Events of the card's children and sub-cards too. */
  children: z.literal(true).optional(),
  description: z.string().optional(),
  secret: z.string(),
  /** The secret before the last rotation, and until when it signs as well. */
  old_secret: z.string().optional(),
  old_secret_until: ms.optional(),
  enabled: z.boolean(),
  disabled_reason: z.enum(DISABLED_REASONS).optional(),
  disabled_at: ms.optional(),
  recovery: RecoverySchema.optional(),
  /** Number of its last test. */
  tests: z.number(),
  lane: z.string().optional(),
  pos: z.string().optional(),
  created_by: z.string(),
  created_at: ms,
  updated_at: ms,
  rev: z.number(),
});
export type WebhookItem = z.infer<typeof WebhookSchema>;

/** The slots of an endpoint: as many sends may be in flight to it, each holding one until the time in it. */
export const SLOT_NAMES = ['slot_a', 'slot_b', 'slot_c', 'slot_d'] as const;
export type SlotName = (typeof SLOT_NAMES)[number];

/** ENDPOINT: how the sends of a webhook fare. Apart from WEBHOOK, since it is written with every send. */
export const EndpointSchema = z.object({
  ...common,
  slot_a: ms.optional(),
  slot_b: ms.optional(),
  slot_c: ms.optional(),
  slot_d: ms.optional(),
  /** Timeouts since the last answer of any kind. */
  timeouts: z.number().optional(),
  /** Failures since the last success, and since when there are only those. */
  failures: z.number().optional(),
  failing_since: ms.optional(),
  /** When this row of failures was reported. */
  reported_at: ms.optional(),
  delivered_at: ms.optional(),
});
export type EndpointItem = z.infer<typeof EndpointSchema>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'exhausted', 'aborted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const AttemptSchema = z.object({
  at: ms,
  /** Where it went: the webhook's address may have changed since. */
  url: z.string(),
  status_code: z.number().optional(),
  duration_ms: z.number(),
  response_excerpt: z.string().optional(),
  error: z.string().optional(),
});
export type Attempt = z.infer<typeof AttemptSchema>;

/** DLV: one event for one webhook. Put by the fan-out before its message is queued, so that no lost message loses it. */
export const DeliverySchema = z.object({
  ...common,
  webhook_id: z.string(),
  event_id: z.string(),
  /** Card, board or webhook under which the event's row is, and its place there. */
  subject: z.string(),
  sequence: z.number(),
  type: z.string(),
  /** When the event happened. */
  at: ms,
  status: z.enum(DELIVERY_STATUSES),
  /** Attempts of the ladder that are made, or were passed over; a message is good for the next one only. */
  made: z.number(),
  attempts: z.array(AttemptSchema),
  next_attempt_at: ms.optional(),
  /** Asked for by hand and not made yet: one attempt outside the ladder. */
  by_hand_at: ms.optional(),
  /** Keys of the index of lanes while an attempt is to come. */
  lane: z.string().optional(),
  pos: z.string().optional(),
  rev: z.number(),
  created_at: ms,
  updated_at: ms,
  ttl: z.number(),
});
export type DeliveryItem = z.infer<typeof DeliverySchema>;
