/** The queue of deliveries and what surrounds it: the emulator, the schedules, and the sender that they start. */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { FUNCTIONS } from '../functions/manifest.ts';
import type { ErrorLog } from './http-server.ts';
import type { LocalFunction } from './lambda.ts';
import { startQueueTrigger, type RunningQueueTrigger } from './queue-trigger.ts';
import { startSchedulerEndpoint } from './scheduler-endpoint.ts';
import { startSqsEndpoint, type LocalQueue } from './sqs-endpoint.ts';

export interface LocalDeliveries {
  readonly sqsUrl: string;
  readonly schedulerUrl: string;
  readonly queue: LocalQueue;
  /** Starts the sender with what is in the queue. */
  readonly startSender: (sender: LocalFunction) => RunningQueueTrigger;
  readonly close: () => Promise<void>;
}

export async function startDeliveries(logError: ErrorLog): Promise<LocalDeliveries> {
  const sqs = await startSqsEndpoint();
  const trigger = FUNCTIONS.sender.queue;
  const queue = await sqs.createQueue('deliveries', trigger);
  const scheduler = await startSchedulerEndpoint(async (arn, body) => {
    if (arn !== queue.arn) throw new Error(`There is no queue ${arn}`);
    await sqs.client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: body }));
  }, logError);
  return {
    sqsUrl: sqs.url,
    schedulerUrl: scheduler.url,
    queue,
    startSender: (target) => startQueueTrigger({ client: sqs.client, queue, target, trigger, logError }),
    close: async () => {
      await scheduler.close();
      await sqs.close();
    },
  };
}
