/** The queue and the schedules of deliveries, with the adapter that the functions use and the trigger that starts them. */
import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { GetQueueAttributesCommand, type SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { QueueTrigger } from '../../functions/manifest.ts';
import type { Handler } from '../../local/lambda.ts';
import { startQueueTrigger } from '../../local/queue-trigger.ts';
import { startSchedulerEndpoint, type SchedulerEndpoint } from '../../local/scheduler-endpoint.ts';
import { startSqsEndpoint, type LocalQueue, type SqsEndpoint } from '../../local/sqs-endpoint.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { sqsDeliveryQueue } from '../../shared/aws/delivery-queue.ts';
import { systemDeps } from '../../shared/deps.ts';
import type { DeliveryMessage } from '../../shared/webhooks/message.ts';

const LIMIT_MS = 30_000;
const TRIGGER: QueueTrigger = { batchSize: 10, visibilitySeconds: 1, maxReceives: 3 };
const CREDENTIALS = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

let sqs: SqsEndpoint;
let logged: unknown[];
let queues = 0;

beforeAll(async () => {
  sqs = await startSqsEndpoint();
});
afterAll(async () => sqs.close());

const message = (number: number): DeliveryMessage => ({
  kind: 'attempt',
  board_id: 'brd_1',
  webhook_id: 'whk_1',
  event_id: `evt_${number}`,
  at: 1,
  made: 0,
  crowded: 0,
});

async function newQueue(): Promise<LocalQueue> {
  queues += 1;
  return sqs.createQueue(`queue-${queues}`, TRIGGER);
}

interface Batch {
  readonly Records: readonly {
    readonly messageId: string;
    readonly body: string;
    readonly eventSource: string;
  }[];
}

/** Starts a handler with a queue's messages, for the length of the test. */
function trigger(queue: LocalQueue, handler: (batch: Batch) => unknown): void {
  logged = [];
  const target = { name: 'sender', handler: handler as Handler, timeoutSeconds: 10, memoryMb: 512 };
  const running = startQueueTrigger({
    client: sqs.client,
    queue,
    target,
    trigger: TRIGGER,
    logError: (_what, error) => void logged.push(error),
  });
  onTestFinished(running.stop);
}

async function countIn(url: string): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes } = await sqs.client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
  );
  return names.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
}

const eventsOf = ({ Records }: Batch) =>
  Records.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id);

describe('a function that the queue starts', () => {
  test('gets its messages as Lambda hands them over, and they are gone when it has taken them', async () => {
    const queue = await newQueue();
    const seen: string[] = [];
    let source = '';
    trigger(queue, (batch) => {
      seen.push(...eventsOf(batch));
      source = batch.Records[0]?.eventSource ?? '';
    });
    const many = Array.from({ length: 25 }, (_, number) => ({ message: message(number), delayMs: 0 }));
    await sqsDeliveryQueue({ queueUrl: queue.url, client: sqs.client, deps: systemDeps }).send(many);
    await waitUntil(
      'all to be taken',
      LIMIT_MS,
      async () => (await countIn(queue.url)) === 0 && seen.length >= 25,
    );
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(source).toBe('aws:sqs');
  });

  test('gets again what it names as failed, three times, and then it is a dead letter', async () => {
    const queue = await newQueue();
    const seen: string[] = [];
    trigger(queue, ({ Records }) => {
      const batch = eventsOf({ Records });
      seen.push(...batch);
      const failed = Records.filter((_, at) => batch[at] === 'evt_1');
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await sqsDeliveryQueue({ queueUrl: queue.url, client: sqs.client, deps: systemDeps }).send(
      [0, 1, 2].map((number) => ({ message: message(number), delayMs: 0 })),
    );
    await waitUntil('the dead letter', LIMIT_MS, async () => (await countIn(queue.deadLettersUrl)) === 1);
    expect(seen.toSorted()).toEqual(['evt_0', 'evt_1', 'evt_1', 'evt_1', 'evt_2']);
    expect(await countIn(queue.url)).toBe(0);
  });

  test('gets the whole batch again when it throws, or names what was not in it', async () => {
    const queue = await newQueue();
    let calls = 0;
    trigger(queue, () => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      return calls === 2 ? { batchItemFailures: [{ itemIdentifier: 'another' }] } : undefined;
    });
    await sqsDeliveryQueue({ queueUrl: queue.url, client: sqs.client, deps: systemDeps }).send([
      { message: message(1), delayMs: 0 },
    ]);
    await waitUntil('the third try', LIMIT_MS, async () => calls === 3 && (await countIn(queue.url)) === 0);
    expect(logged).toHaveLength(1);
  });
});

describe('a wait', () => {
  let scheduler: SchedulerEndpoint;
  let sent: [arn: string, body: string][];

  beforeAll(async () => {
    sent = [];
    scheduler = await startSchedulerEndpoint(
      async (arn, body) => void sent.push([arn, body]),
      (_what, error) => {
        throw error;
      },
    );
  });
  afterAll(async () => scheduler.close());

  const scheduling = (queue: LocalQueue, now = () => Date.now()) =>
    sqsDeliveryQueue({
      queueUrl: queue.url,
      client: sqs.client,
      deps: { ...systemDeps, now },
      schedules: {
        client: new SchedulerClient({ ...CREDENTIALS, endpoint: scheduler.url }),
        group: 'deliveries',
        roleArn: 'arn:aws:iam::000000000000:role/deliveries',
        queueArn: queue.arn,
      },
    });

  test('of minutes is the queue’s own, to the second', async () => {
    const queue = await newQueue();
    let receivedAt = 0;
    trigger(queue, () => {
      receivedAt = Date.now();
    });
    const queuedAt = Date.now();
    await scheduling(queue).send([{ message: message(1), delayMs: 1_200 }]);
    await waitUntil('the message', LIMIT_MS, () => receivedAt > 0);
    expect(receivedAt - queuedAt).toBeGreaterThanOrEqual(2_000);
    expect(scheduler.names()).toEqual([]);
  });

  test('of hours is a schedule, made once however often it is asked for, that puts the message into the queue', async () => {
    const queue = await newQueue();
    const delayMs = 5 * 3_600_000;
    const soon = Date.now() - delayMs + 2_000;
    const delivery = { message: message(7), delayMs };
    await scheduling(queue, () => soon).send([delivery, delivery]);
    expect(scheduler.names()).toEqual([expect.stringMatching(/^deliveries\/delivery-[\w-]{43}$/)]);
    expect(await countIn(queue.url)).toBe(0);
    await waitUntil('the schedule to fire', LIMIT_MS, () => sent.length > 0);
    expect(sent).toEqual([[queue.arn, JSON.stringify(message(7))]]);
    expect(scheduler.names()).toEqual([]);
  });

  test('can be called off', async () => {
    const queue = await newQueue();
    const client = new SchedulerClient({ ...CREDENTIALS, endpoint: scheduler.url });
    await scheduling(queue).send([{ message: message(8), delayMs: 86_400_000 }]);
    const [name = ''] = scheduler.names();
    const request = { Name: name.split('/')[1], GroupName: 'deliveries' };
    await client.send(new DeleteScheduleCommand(request));
    expect(scheduler.names()).toEqual([]);
    await expect(client.send(new DeleteScheduleCommand(request))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('is refused when it is no time in UTC', async () => {
    const client = new SchedulerClient({ ...CREDENTIALS, endpoint: scheduler.url });
    const schedule = {
      Name: 'x',
      FlexibleTimeWindow: { Mode: 'OFF' as const },
      ActionAfterCompletion: 'DELETE' as const,
      Target: { Arn: 'a', RoleArn: 'r', Input: '{}' },
    };
    for (const ScheduleExpression of ['rate(1 minute)', 'at(soon)', 'at(2026-13-01T00:00:00)'])
      await expect(
        client.send(new CreateScheduleCommand({ ...schedule, ScheduleExpression })),
      ).rejects.toMatchObject({
        name: 'ValidationException',
      });
  });

  test('of hours is an error for a function that has no schedules', async () => {
    const queue = await newQueue();
    const plain = sqsDeliveryQueue({ queueUrl: queue.url, client: sqs.client, deps: systemDeps });
    await expect(plain.send([{ message: message(1), delayMs: 3_600_000 }])).rejects.toThrow('no schedules');
  });
});

describe('entries that the queue refuses', () => {
  /** Refuses the first entries of each call, `times` calls long. */
  function refusing(times: number) {
    const calls: number[] = [];
    const client = {
      send: async (command: SendMessageBatchCommand) => {
        const Entries = command.input.Entries ?? [];
        calls.push(Entries.length);
        const Failed =
          calls.length <= times ? Entries.slice(0, 2).map(({ Id }) => ({ Id, Code: 'Busy' })) : [];
        return { Failed };
      },
    } as unknown as SQSClient;
    const deps = { ...systemDeps, sleep: async () => undefined };
    return { calls, queue: sqsDeliveryQueue({ queueUrl: 'https://queue', client, deps }) };
  }
  const five = Array.from({ length: 5 }, (_, number) => ({ message: message(number), delayMs: 0 }));

  test('are sent again, they alone', async () => {
    const { calls, queue } = refusing(2);
    await queue.send(five);
    expect(calls).toEqual([5, 2, 2]);
  });

  test('end in an error when they are refused again and again', async () => {
    const { calls, queue } = refusing(100);
    await expect(queue.send(five)).rejects.toThrow('refused 2 messages: Busy');
    expect(calls).toHaveLength(4);
  });
});
