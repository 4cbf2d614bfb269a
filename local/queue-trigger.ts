/**
 * Lambda's event source mapping of a queue in small: receives batches, starts a function with each, and deletes what
 * the function did not name as failed. The rest appears again once its visibility timeout is over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type Message,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueTrigger } from '../functions/manifest.ts';
import type { ErrorLog } from './http-server.ts';
import { invoke, type LocalFunction } from './lambda.ts';
import type { LocalQueue } from './sqs-endpoint.ts';

/** Batches in work at once. Lambda begins with 5 and goes up to 1,250; a dead receiver holds 4 for 20 s. */
const PARALLEL = 16;
/** The longest that SQS waits for a message. */
const WAIT_SECONDS = 20;
/** After an error, of an emulator that is just being ended for instance. */
const ERROR_PAUSE_MS = 1_000;
/** A receiver that hangs must not hold up the end: its delivery is queued again after the next start. */
const STOP_GRACE_MS = 2_000;

export interface QueueTriggerOptions {
  readonly client: SQSClient;
  readonly queue: LocalQueue;
  readonly target: LocalFunction;
  readonly trigger: QueueTrigger;
  readonly logError: ErrorLog;
}

export interface RunningQueueTrigger {
  /** Receives no more; resolves when the batches in work are finished, or a moment has passed. */
  readonly stop: () => Promise<void>;
}

export function startQueueTrigger(options: QueueTriggerOptions): RunningQueueTrigger {
  const stopping = new AbortController();
  const pollers = Array.from({ length: PARALLEL }, async () => poll(options, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([Promise.all(pollers), sleep(STOP_GRACE_MS, undefined, { ref: false })]);
    },
  };
}

async function poll(options: QueueTriggerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const messages = await receive(options, signal);
      if (messages.length > 0) await workOn(options, messages);
    } catch (error) {
      if (signal.aborted) return;
      options.logError(`Receiving for ${options.target.name}`, error);
      await sleep(ERROR_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function receive(
  { client, queue, trigger }: QueueTriggerOptions,
  signal: AbortSignal,
): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queue.url,
    MaxNumberOfMessages: trigger.batchSize,
    WaitTimeSeconds: WAIT_SECONDS,
    MessageSystemAttributeNames: ['All'],
  });
  return (await client.send(command, { abortSignal: signal })).Messages ?? [];
}

async function workOn(options: QueueTriggerOptions, messages: readonly Message[]): Promise<void> {
  const { client, queue, target, logError } = options;
  const requestId = randomUUID();
  let failed: ReadonlySet<unknown>;
  try {
    const answer = await invoke(
      target,
      { Records: messages.map((message) => record(message, queue)) },
      requestId,
    );
    failed = failuresOf(answer);
  } catch (error) {
    logError(`Function ${target.name}, batch ${requestId}`, error);
    return;
  }
  const isWhole = [...failed].some((id) => !messages.some(({ MessageId }) => MessageId === id));
  // Lambda takes an id that is not of the batch for a failure of the whole.
  const done = isWhole ? [] : messages.filter(({ MessageId }) => !failed.has(MessageId));
  if (done.length === 0) return;
  const Entries = done.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries }));
}

/** A message as Lambda's event has it. */
function record(message: Message, queue: LocalQueue): unknown {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: 'us-east-1',
  };
}

function failuresOf(answer: unknown): ReadonlySet<unknown> {
  if (typeof answer !== 'object' || answer === null || !('batchItemFailures' in answer)) return new Set();
  const { batchItemFailures: failures } = answer;
  if (!Array.isArray(failures)) return new Set();
  return new Set(
    failures.map((failure: unknown) =>
      typeof failure === 'object' && failure !== null && 'itemIdentifier' in failure
        ? failure.itemIdentifier
        : null,
    ),
  );
}
