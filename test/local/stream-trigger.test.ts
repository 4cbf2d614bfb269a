/** The poller on the real stream of a table. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Handler } from '../../local/lambda.ts';
import { startStreamTrigger } from '../../local/stream-trigger.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { createTestTable, type TestTable } from '../support/dynamodb.ts';

const LIMIT_MS = 20_000;

let table: TestTable;
let checkpointFile: string;
let logged: unknown[];

beforeEach(async () => {
  table = await createTestTable({ stream: true });
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-trigger-'));
  checkpointFile = join(directory, 'checkpoint.json');
  logged = [];
  onTestFinished(async () => rm(directory, { recursive: true }));
});

interface Given {
  readonly Records: readonly {
    readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } } };
  }[];
}
const namesIn = (event: unknown): string[] =>
  (event as Given).Records.map(({ dynamodb }) => dynamodb.Keys.pk.S);

async function put(...names: string[]): Promise<void> {
  for (const name of names) {
    const Item = { pk: { S: name }, sk: { S: name.startsWith('~') ? 'OTHER' : 'JOB' }, op: { S: 'create' } };
    await table.client.send(new PutItemCommand({ TableName: table.tableName, Item }));
  }
}

async function start(handler: Handler, batchSize = 100) {
  const running = await startStreamTrigger({
    endpoint: table.endpoint,
    tableName: table.tableName,
    target: { name: 'fanout', handler, timeoutSeconds: 60, memoryMb: 512 },
    trigger: {
      filters: [{ dynamodb: { Keys: { sk: { S: ['JOB'] } } } }],
      batchSize,
      retries: 3,
      maxAgeSeconds: 3_600,
    },
    checkpointFile,
    logError: (...said) => logged.push(said),
  });
  onTestFinished(running.stop);
  return running;
}

test('what the filters let through comes in order, in batches of at most their size', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `card-${String(at).padStart(2, '0')}`);
  await put(...names.flatMap((name) => [`~${name}`, name]));
  const batches: string[][] = [];
  await start((event) => void batches.push(namesIn(event)), 10);
  await waitUntil('all records', LIMIT_MS, () => batches.flat().length === names.length);

  expect(batches.flat()).toEqual(names);
  expect(Math.max(...batches.map((batch) => batch.length))).toBe(10);
  expect(logged).toEqual([]);
});

test('an iterator taken before the first write finds it', async () => {
  const seen: string[] = [];
  await start((event) => void seen.push(...namesIn(event)));
  // Another table with a stream, as other tests and programs on the same database have.
  await createTestTable({ stream: true });
  await put('first');
  await waitUntil('the first record', LIMIT_MS, () => seen.length > 0);
  expect(seen).toEqual(['first']);
});

test('a start after a stop goes on behind what was handled', async () => {
  const seen: string[] = [];
  const first = await start((event) => void seen.push(...namesIn(event)));
  await put('a', 'b');
  await waitUntil('two records', LIMIT_MS, () => seen.length === 2);
  await first.stop();
  await put('c');
  await start((event) => void seen.push(...namesIn(event)));
  await waitUntil('the third record', LIMIT_MS, () => seen.length >= 3);
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a start after a kill in the middle of a batch brings that batch again, and all behind it', async () => {
  const killed: string[] = [];
  // As a kill leaves it: the handler has begun, and its answer never comes.
  const hung = Promise.withResolvers<void>();
  void start(async (event) => {
    killed.push(...namesIn(event));
    await hung.promise;
  });
  await put('a', 'b');
  await waitUntil('the batch to begin', LIMIT_MS, () => killed.length > 0);
  const seen: string[] = [];
  await start((event) => void seen.push(...namesIn(event)));
  await put('c');
  await waitUntil('all records', LIMIT_MS, () => seen.includes('c'));
  expect(seen).toEqual(['a', 'b', 'c']);
  hung.resolve();
});

test('a record that always fails is given up after its tries, and the next ones come', async () => {
  await put('a', 'poison', 'b');
  const seen: string[] = [];
  await start((event) => {
    const names = namesIn(event);
    if (names.includes('poison')) throw new Error('it always fails');
    seen.push(...names);
  });
  await waitUntil('the records around it', LIMIT_MS, () => seen.includes('b'));
  expect(seen).toEqual(['a', 'b']);
  expect(logged).toHaveLength(1);
  expect(String(logged[0])).toContain('1 stream records given up');
});
