/** Which events a webhook is sent. */
import type { WebhookItem } from '../store/webhook-items.ts';

interface Matched {
  readonly type: string;
  readonly cardId: string | null;
}

/** A subscription to one card ends with this: the card is put away. Being done does not end it. */
const LAST_OF_CARD: readonly string[] = ['card.archived', 'card.deleted'];

/** True when the webhook's filters let the event through; whether it is enabled is another question. */
export function wants(webhook: Pick<WebhookItem, 'types' | 'card_id'>, event: Matched): boolean {
  if (webhook.card_id !== undefined && webhook.card_id !== event.cardId) return false;
  return webhook.types?.includes(event.type) ?? true;
}

/** True for the event after which a webhook has nothing more to hear of. */
export function isLastFor(webhook: Pick<WebhookItem, 'card_id'>, event: Matched): boolean {
  return (
    webhook.card_id !== undefined && webhook.card_id === event.cardId && LAST_OF_CARD.includes(event.type)
  );
}
