/** The part that a function has in webhooks, from its environment: apart, for the functions that have one. */
import {
  schedulerClient,
  sqsClient,
  sqsDeliveryQueue,
  type Schedules,
} from '../shared/aws/delivery-queue.ts';
import type { Deps } from '../shared/deps.ts';
import { readEnv } from '../shared/env.ts';
import type { DeliveryQueue } from '../shared/webhooks/message.ts';
import { NO_WEBHOOKS, type WebhookOutlet } from '../shared/webhooks/outlet.ts';
import { parseTargets } from '../shared/webhooks/public-address.ts';

/** Queues deliveries, and makes no webhook. */
export function queueOutlet(deps: Deps): WebhookOutlet {
  return { ...NO_WEBHOOKS, queue: queueOf(deps) };
}

/** Queues deliveries, and says what a webhook may be sent to. */
export function webhookOutlet(deps: Deps): WebhookOutlet {
  return { queue: queueOf(deps), targets: parseTargets(readEnv('WEBHOOK_TARGETS')) };
}

/** The same, for waits of hours too. */
export function senderOutlet(deps: Deps): WebhookOutlet {
  const schedules = {
    client: schedulerClient(),
    group: readEnv('DELIVERY_SCHEDULE_GROUP'),
    roleArn: readEnv('DELIVERY_SCHEDULE_ROLE_ARN'),
    queueArn: readEnv('DELIVERY_QUEUE_ARN'),
  };
  return { queue: queueOf(deps, schedules), targets: parseTargets(readEnv('WEBHOOK_TARGETS')) };
}

function queueOf(deps: Deps, schedules?: Schedules): DeliveryQueue {
  const queueUrl = readEnv('DELIVERY_QUEUE_URL');
  const options = { queueUrl, client: sqsClient(), deps };
  return sqsDeliveryQueue(schedules === undefined ? options : { ...options, schedules });
}
