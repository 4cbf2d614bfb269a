/** A webhook as it is changed: pure. */
import type { LeaseKeys } from '../lease-keys.ts';
import type { DISABLED_REASONS, WebhookItem } from '../store/webhook-items.ts';
import { openSecret } from './secret.ts';

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export function turnedOff(webhook: WebhookItem, reason: DisabledReason, now: number): WebhookItem {
  return { ...webhook, enabled: false, disabled_reason: reason, disabled_at: now };
}

export function turnedOn(webhook: WebhookItem): WebhookItem {
  const { disabled_reason: _reason, disabled_at: _at, ...rest } = webhook;
  return { ...rest, enabled: true };
}

/** True for one that is still sent what was queued for it: a subscription ends behind its card's last event. */
export function isServed({ enabled, disabled_reason }: WebhookItem): boolean {
  return enabled || disabled_reason === 'card_archived';
}

/** True while the secret before the last rotation signs as well. */
export function isRotating({ old_secret_until }: WebhookItem, now: number): boolean {
  return old_secret_until !== undefined && old_secret_until > now;
}

/** With a new secret; the one before signs beside it for `graceMs`, the one before that no more. */
export function rotated(webhook: WebhookItem, sealed: string, graceMs: number, now: number): WebhookItem {
  const { old_secret: _secret, old_secret_until: _until, ...rest } = webhook;
  if (graceMs === 0) return { ...rest, secret: sealed };
  return { ...rest, secret: sealed, old_secret: webhook.secret, old_secret_until: now + graceMs };
}

/**
 * The secrets that sign now, the newest first.
 *
 * @throws Error when one cannot be opened.
 */
export function signingSecrets(webhook: WebhookItem, keys: LeaseKeys, now: number): Buffer[] {
  const sealed = [webhook.secret];
  if (webhook.old_secret !== undefined && isRotating(webhook, now)) sealed.push(webhook.old_secret);
  return sealed.map((text) => openSecret(keys, webhook.webhook_id, text));
}
