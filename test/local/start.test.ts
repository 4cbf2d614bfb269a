import { execFile } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const START = new URL('../../local/start.ts', import.meta.url).pathname;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-start-'));
  onTestFinished(async () => rm(directory, { recursive: true }));
});

interface Ending {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm start`'s program to its end. */
async function start(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  execFile(process.execPath, [START, ...args], { env }, (error, stdout, stderr) => {
    resolve({ code: error === null ? 0 : error.code, stdout, stderr });
  });
  return promise;
}

test('--help prints the options', async () => {
  expect(await start(['--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--admin-token'),
  });
});

test('an unknown option ends with 2 and a message without a stack', async () => {
  const { code, stderr } = await start(['--prot', '1']);
  expect(code).toBe(2);
  expect(stderr).toContain('--prot');
  expect(stderr).not.toContain('    at ');
});

test('a port that is taken is named before anything is made', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const data = join(directory, 'data');
  const { code, stderr } = await start(['--port', port, '--data', data]);
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${port} is already in use`);
  await expect(access(data)).rejects.toThrow('ENOENT');
});

test('without Java it ends with 1 and says what to install', async () => {
  const { code, stderr } = await start(['--port', '0', '--memory'], { ...process.env, PATH: directory });
  expect(code).toBe(1);
  expect(stderr).toContain('Java 17');
  expect(stderr).toContain('default-jre-headless');
  expect(stderr).not.toContain('    at ');
});

test('a DynamoDB that does not answer is named', async () => {
  const { code, stderr } = await start(['--port', '0', '--memory', '--dynamodb', 'http://127.0.0.1:1']);
  expect(code).toBe(1);
  expect(stderr.trim()).toBe('No DynamoDB answers at http://127.0.0.1:1. Is it running?');
});
