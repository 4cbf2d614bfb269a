/** What an instance has to do with webhooks: where deliveries are queued, and what they may be sent to. */
import type { DeliveryQueue } from './message.ts';
import type { Targets } from './public-address.ts';

export interface WebhookOutlet {
  readonly queue: DeliveryQueue;
  readonly targets: Targets;
}

/** Of a function that has no part in them. */
export const NO_WEBHOOKS: WebhookOutlet = {
  queue: {
    send: async (messages) => {
      if (messages.length > 0) throw new Error('This function has no queue of deliveries: see the manifest.');
    },
  },
  targets: 'public',
};
