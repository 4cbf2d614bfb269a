/** The queue of deliveries on SQS; waits that it cannot hold are one-time schedules that put the message into it. */
import { createHash } from 'node:crypto';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SendMessageBatchCommand, SQSClient, type SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { Deps } from '../deps.ts';
import type { DeliveryQueue, QueuedMessage } from '../webhooks/message.ts';
import { QUEUE_DELAY_MAX_MS } from '../webhooks/policy.ts';
import { inWidth } from '../width.ts';
import { SECOND_MS } from '../units.ts';

/** SendMessageBatch takes ten entries. */
const ENTRIES_MAX = 10;
/** Batches and schedules on their way at once. */
const WIDTH = 8;
/** Tries of an entry that the queue refuses, and the mean pause between them, doubled each time. */
const TRIES = 4;
const JITTER_MS = 50;

const CONNECT_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 3_000;

const AWS_TIMEOUTS = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  throwOnRequestTimeout: true,
};

/** Long waits: needed by who retries, by nobody else. */
export interface Schedules {
  readonly client: Pick<SchedulerClient, 'send'>;
  readonly group: string;
  readonly roleArn: string;
  readonly queueArn: string;
}

export interface SqsDeliveryQueueOptions {
  readonly queueUrl: string;
  readonly client: Pick<SQSClient, 'send'>;
  readonly deps: Deps;
  readonly schedules?: Schedules;
}

export function sqsClient(): SQSClient {
  return new SQSClient({ requestHandler: AWS_TIMEOUTS });
}

export function schedulerClient(): SchedulerClient {
  return new SchedulerClient({ requestHandler: AWS_TIMEOUTS });
}

export function sqsDeliveryQueue(options: SqsDeliveryQueueOptions): DeliveryQueue {
  return {
    async send(messages) {
      const long = messages.filter(({ delayMs }) => delayMs > QUEUE_DELAY_MAX_MS);
      const short = messages.filter(({ delayMs }) => delayMs <= QUEUE_DELAY_MAX_MS);
      const chunks: QueuedMessage[][] = [];
      for (let at = 0; at < short.length; at += ENTRIES_MAX) chunks.push(short.slice(at, at + ENTRIES_MAX));
      await inWidth(WIDTH, chunks, async (chunk) => sendChunk(options, chunk));
      await inWidth(WIDTH, long, async (message) => schedule(options, message));
    },
  };
}

async function sendChunk(
  { client, queueUrl, deps }: SqsDeliveryQueueOptions,
  chunk: readonly QueuedMessage[],
): Promise<void> {
  let left = chunk.map(entryOf);
  for (let attempt = 1; ; attempt += 1) {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left }),
    );
    const refused = new Set(Failed.map(({ Id }) => Id));
    left = left.filter(({ Id }) => refused.has(Id));
    if (left.length === 0) return;
    if (attempt >= TRIES) throw new Error(`The queue refused ${left.length} messages: ${Failed[0]?.Code}`);
    await deps.sleep(deps.random() * JITTER_MS * 2 ** attempt);
  }
}

function entryOf({ message, delayMs }: QueuedMessage, at: number): SendMessageBatchRequestEntry {
  return {
    Id: String(at),
    MessageBody: JSON.stringify(message),
    DelaySeconds: Math.ceil(delayMs / SECOND_MS),
  };
}

/** Repeating it is safe: its name is made of the message, and one of that name is that schedule. */
async function schedule(
  { schedules, deps }: SqsDeliveryQueueOptions,
  { message, delayMs }: QueuedMessage,
): Promise<void> {
  if (schedules === undefined) throw new Error(`This function has no schedules for a wait of ${delayMs} ms`);
  const at = new Date(deps.now() + delayMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const Input = JSON.stringify(message);
  const command = new CreateScheduleCommand({
    Name: nameOf(Input),
    GroupName: schedules.group,
    ScheduleExpression: `at(${at})`,
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: { Arn: schedules.queueArn, RoleArn: schedules.roleArn, Input },
  });
  try {
    await schedules.client.send(command);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConflictException')) throw error;
  }
}

/** Of delivery and attempt, both in the message; hashed, since a name has at most 64 characters. */
function nameOf(input: string): string {
  return `delivery-${createHash('sha256').update(input).digest('base64url')}`;
}
