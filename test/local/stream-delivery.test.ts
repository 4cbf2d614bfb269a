import { beforeEach, expect, test, vi } from 'vitest';
import type { Handler } from '../../local/lambda.ts';
import type { StreamRecord } from '../../local/shard-reader.ts';
import { deliverBatch, lambdaRecord } from '../../local/stream-delivery.ts';

let logged: string[];
/** What the handler got, call by call: the numbers of the records. */
let calls: string[][];

beforeEach(() => {
  logged = [];
  calls = [];
});

const records = (...numbers: string[]): StreamRecord[] =>
  numbers.map((SequenceNumber) => ({
    eventName: 'MODIFY',
    dynamodb: { SequenceNumber, Keys: {}, ApproximateCreationDateTime: new Date() },
  }));

interface Given {
  readonly Records: readonly { readonly dynamodb: { readonly SequenceNumber: string } }[];
}

/** Delivers, with waits that take no time, to a handler that is told the numbers of each call. */
async function deliver(
  batch: readonly StreamRecord[],
  handle: (numbers: string[], call: number) => unknown,
  trigger = { retries: 5, maxAgeSeconds: 3_600 },
  signal = new AbortController().signal,
): Promise<boolean> {
  vi.useFakeTimers();
  try {
    const handler: Handler = (event) => {
      const numbers = (event as Given).Records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      calls.push(numbers);
      return handle(numbers, calls.length);
    };
    const target = { name: 'fanout', handler, timeoutSeconds: 600, memoryMb: 512 };
    const logError = (what: string) => logged.push(what);
    const done = deliverBatch({ target, trigger, streamArn: 'arn', logError, signal }, batch);
    await vi.runAllTimersAsync();
    return await done;
  } finally {
    vi.useRealTimers();
  }
}

const failing = (...numbers: string[]) => ({
  batchItemFailures: numbers.map((itemIdentifier) => ({ itemIdentifier })),
});

test('a batch that is handled is delivered once', async () => {
  expect(await deliver(records('1', '2', '3'), () => failing())).toBe(true);
  expect(calls).toEqual([['1', '2', '3']]);
});

test('what is answered as failed comes again, with all behind it', async () => {
  await deliver(records('1', '2', '3', '4'), (_, call) => (call === 1 ? failing('3', '2') : failing()));
  expect(calls).toEqual([
    ['1', '2', '3', '4'],
    ['2', '3', '4'],
  ]);
  expect(logged).toEqual([]);
});

test('a batch that throws is halved until the record that does it stands alone', async () => {
  const poison = (numbers: string[]) => {
    if (numbers.includes('3')) throw new Error('poison');
    return failing();
  };
  expect(await deliver(records('1', '2', '3', '4'), poison, { retries: 1, maxAgeSeconds: 3_600 })).toBe(true);
  expect(calls).toEqual([['1', '2', '3', '4'], ['1', '2'], ['3', '4'], ['3'], ['3'], ['4']]);
  expect(logged).toEqual(['Function fanout, 1 stream records given up, 3 to 3']);
});

test('what fails more often than it may is given up, and the next records come', async () => {
  await deliver(records('1'), () => failing('1'), { retries: 2, maxAgeSeconds: 3_600 });
  await deliver(records('2'), () => failing());
  expect(calls).toEqual([['1'], ['1'], ['1'], ['2']]);
  expect(logged).toHaveLength(1);
});

test('what fails when it is older than it may be is given up', async () => {
  const [old] = records('1');
  const created = new Date(Date.now() - 7_200_000);
  const batch = [{ ...old, dynamodb: { ...old?.dynamodb, ApproximateCreationDateTime: created } }];
  await deliver(batch, () => failing('1'));
  expect(calls).toEqual([['1']]);
  expect(logged).toHaveLength(1);
});

test('a number that is none of the batch’s counts as a failure of the whole', async () => {
  await deliver(records('1', '2'), (_, call) => (call === 1 ? failing('9') : failing()));
  expect(calls).toEqual([['1', '2'], ['1'], ['2']]);
});

test('when the stack ends, what fails is not tried again and not counted as handled', async () => {
  const stopping = new AbortController();
  const handle = () => {
    stopping.abort();
    return failing('1');
  };
  const trigger = { retries: 5, maxAgeSeconds: 3_600 };
  expect(await deliver(records('1'), handle, trigger, stopping.signal)).toBe(false);
  expect(calls).toEqual([['1']]);
});

test('a record is as Lambda’s JSON has it', () => {
  const at = new Date('2026-03-02T09:00:00.500Z');
  const [record] = records('1');
  const given = {
    ...record,
    dynamodb: {
      SequenceNumber: '1',
      ApproximateCreationDateTime: at,
      NewImage: { bytes: { B: new Uint8Array([1, 2, 255]) } },
    },
  };
  expect(lambdaRecord(given, 'arn:of:the:stream')).toEqual({
    eventName: 'MODIFY',
    eventSourceARN: 'arn:of:the:stream',
    dynamodb: {
      SequenceNumber: '1',
      ApproximateCreationDateTime: 1_772_442_000.5,
      NewImage: { bytes: { B: 'AQL/' } },
    },
  });
});
