import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { endOrphan, writeRecord } from '../../local/process-record.ts';
import { ensureTable } from '../../local/table.ts';
import { UserError } from '../../local/user-error.ts';
import { testClientOptions } from '../support/client-options.ts';

const STARTER = new URL('../../local/dynamodb-local.ts', import.meta.url).href;
const TABLE = 'kept';

/** Each test starts databases, 1.5 s each on an idle machine. */
vi.setConfig({ testTimeout: 120_000 });

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-db-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
});

/** A process that starts the database on the directory and then does nothing. */
async function startInAnotherProcess() {
  const script = `const { startDynamoDbLocal } = await import(${JSON.stringify(STARTER)});
    console.log(JSON.stringify(await startDynamoDbLocal(${JSON.stringify(directory)})));
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { endpoint, pid } = JSON.parse(line.toString()) as { endpoint: string; pid: number };
  // Its parent, killed like that, leaves it behind, and this directory will see no next start.
  onTestFinished(async () => {
    if ((await endOrphan(join(directory, 'dynamodb-local.pid'))) === 'owned') process.kill(pid, 'SIGKILL');
  });
  return { child, endpoint, pid };
}

async function put(endpoint: string, sk: string): Promise<void> {
  const client = new DynamoDBClient(testClientOptions(endpoint));
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'card' }, sk: { S: sk } } }));
  client.destroy();
}

async function has(endpoint: string, sk: string): Promise<boolean> {
  const client = new DynamoDBClient(testClientOptions(endpoint));
  const Key = { pk: { S: 'card' }, sk: { S: sk } };
  const { Item } = await client.send(new GetItemCommand({ TableName: TABLE, Key }));
  client.destroy();
  return Item !== undefined;
}

/** Whether the process runs; one that has ended may still be listed until its parent asks for it. */
async function runs(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command !== '';
}

test('what a parent killed with -9 leaves behind is ended by the next start, which finds all data', async () => {
  const before = await startInAnotherProcess();
  await ensureTable(before.endpoint, TABLE);
  await put(before.endpoint, 'first');
  before.child.kill('SIGKILL');
  await once(before.child, 'exit');
  await put(before.endpoint, 'second');
  expect(await runs(before.pid)).toBe(true);

  const after = await startDynamoDbLocal(directory);
  onTestFinished(after.stop);
  expect(await runs(before.pid)).toBe(false);
  expect(await ensureTable(after.endpoint, TABLE)).toBe(false);
  expect(await has(after.endpoint, 'first')).toBe(true);
  expect(await has(after.endpoint, 'second')).toBe(true);
});

test('a directory whose database has a living owner is refused and left alone', async () => {
  const owner = await startInAnotherProcess();
  const second = startDynamoDbLocal(directory);
  await expect(second).rejects.toThrow(UserError);
  await expect(second).rejects.toThrow(`in use by process ${owner.child.pid}`);
  expect(await ensureTable(owner.endpoint, TABLE)).toBe(true);
  owner.child.kill('SIGTERM');
  await once(owner.child, 'exit');
  const after = await startDynamoDbLocal(directory);
  await after.stop();
});

test('stopping ends the process, strikes off its record and keeps the data', async () => {
  const first = await startDynamoDbLocal(directory);
  await ensureTable(first.endpoint, TABLE);
  await put(first.endpoint, 'kept');
  await first.stop();
  expect(await runs(first.pid)).toBe(false);
  await expect(stat(join(directory, 'dynamodb-local.pid'))).rejects.toThrow('ENOENT');
  const second = await startDynamoDbLocal(directory);
  onTestFinished(second.stop);
  expect(await has(second.endpoint, 'kept')).toBe(true);
});

test('it stays in the process group of the one who started it', async () => {
  const { pid } = await startInAnotherProcess();
  expect(await groupOf(pid)).toBe(await groupOf(process.pid));
});

test('a stranger who got the recorded pid is not ended', async () => {
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const file = join(directory, 'dynamodb-local.pid');
  const startedAt = new Date(0).toISOString();
  await writeRecord(file, { pid: stranger.pid ?? 0, parentPid: 1, startedAt, marks: ['DynamoDBLocal.jar'] });
  expect(await endOrphan(file)).toBe('gone');
  expect(await runs(stranger.pid ?? 0)).toBe(true);
});

/** Field 5 of /proc/PID/stat, counted after the name, which may hold spaces. */
async function groupOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')')).split(' ')[3];
}
