/** Ids of deliveries: made of the event's and the webhook's, so that the same event for the same webhook is one. */
import { ulidOf } from '../ids.ts';

const DELIVERY_ID =
  /^dlv_(?<subject>[0-7][0-9A-HJKMNP-TV-Z]{25})_(?<sequence>[1-9][0-9]{0,8})_(?<webhook>[0-7][0-9A-HJKMNP-TV-Z]{25})$/;

export interface DeliveryName {
  readonly eventId: string;
  readonly webhookId: string;
  /** The ULID of what the event is about, and the event's number there. */
  readonly subject: string;
  readonly sequence: number;
}

export function deliveryId(eventId: string, webhookId: string): string {
  return `dlv_${ulidOf(eventId)}_${ulidOf(webhookId)}`;
}

/** Event and webhook behind a delivery's id; null for any other text. */
export function parseDeliveryId(text: string): DeliveryName | null {
  const { subject, sequence, webhook } = DELIVERY_ID.exec(text)?.groups ?? {};
  if (subject === undefined || sequence === undefined || webhook === undefined) return null;
  return {
    eventId: `evt_${subject}_${sequence}`,
    webhookId: `whk_${webhook}`,
    subject,
    sequence: Number(sequence),
  };
}
