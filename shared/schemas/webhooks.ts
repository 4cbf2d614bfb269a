/** Bodies and queries of the webhook verbs. */
import * as z from 'zod';
import { EVENT_TYPES } from '../events/types.ts';
import { LIMITS } from '../policy.ts';
import { DELIVERY_STATUSES } from '../store/webhook-items.ts';
import { GRACE_DEFAULT_SECONDS, GRACE_MAX_SECONDS, URL_BYTES } from '../webhooks/policy.ts';
import { paging } from './paging.ts';
import { idText, utf8 } from './text.ts';
import { isoTime } from './time.ts';

/** Whether it may be sent to is the verb's to say: that depends on the installation. */
const Url = utf8(URL_BYTES, 1);

const Types = z
  .array(z.enum(EVENT_TYPES))
  .min(1, 'must name at least one type; leave it out, or say null, for all')
  .max(EVENT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, { message: 'must name each type once' });

const optional = {
  types: Types.nullable().optional(),
  description: utf8(LIMITS.descriptionBytes).nullable().optional(),
};

export const CreateWebhookBody = z.strictObject({
  url: Url,
  ...optional,
  card_id: idText.nullable().optional(),
  include_children: z.boolean().optional(),
  since: isoTime.nullable().optional(),
});
export type CreateWebhookBody = z.infer<typeof CreateWebhookBody>;

/** The card is not among them: a subscription to another card is another webhook. */
export const PatchWebhookBody = z.strictObject({
  url: Url.optional(),
  ...optional,
  enabled: z.boolean().optional(),
});
export type PatchWebhookBody = z.infer<typeof PatchWebhookBody>;

export const RotateSecretBody = z.strictObject({
  grace_seconds: z.number().int().min(0).max(GRACE_MAX_SECONDS).default(GRACE_DEFAULT_SECONDS),
  /** Also while the secret of an earlier rotation still signs, which then ends. */
  force: z.boolean().optional(),
});
export type RotateSecretBody = z.infer<typeof RotateSecretBody>;

export const RecoverBody = z.strictObject({ since: isoTime });
export type RecoverBody = z.infer<typeof RecoverBody>;

export const ListWebhooksQuery = z.strictObject(paging);
export type ListWebhooksQuery = z.infer<typeof ListWebhooksQuery>;

export const ListDeliveriesQuery = z.strictObject({
  ...paging,
  status: z.enum(DELIVERY_STATUSES).optional(),
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;
