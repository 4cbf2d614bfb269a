import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';

/** Each test starts whole stacks, 2 s each on an idle machine. */
vi.setConfig({ testTimeout: 180_000 });

const START_LIMIT_MS = 60_000;
const TOKEN = `lb_test_${'s'.repeat(32)}`;
const ROOT = new URL('../../', import.meta.url).pathname;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-npm-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
});

interface Started {
  readonly npm: ChildProcess;
  /** The process group that a terminal would send Ctrl-C to. */
  readonly group: number;
  readonly url: string;
}

async function npmStart(): Promise<Started> {
  const args = ['start', '--', '--port', '0', '--data', directory, '--admin-token', TOKEN, '--no-demo'];
  const npm = spawn('npm', args, { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const group = npm.pid ?? 0;
  onTestFinished(() => {
    endGroup(group, 'SIGKILL');
  });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const url = () => /ready at (\S+)/.exec(output)?.[1];
  await waitUntil('npm start to be ready', START_LIMIT_MS, () => url() !== undefined);
  return { npm, group, url: url() ?? '' };
}

function endGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // All of it has ended.
  }
}

async function api(url: string, path: string, init: RequestInit = {}, token = TOKEN): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(url + path, { ...init, headers });
}

/** Pids in a process group, without those that have ended and are only not yet struck off. */
async function membersOf(group: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    pids.map(async (pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  );
  return pids.filter((_pid, at) => {
    const [state, , pgid] = (stats[at] ?? '').split(') ').at(-1)?.split(' ') ?? [];
    return state !== 'Z' && pgid === String(group);
  });
}

test('npm start is healthy, knows its admin token, and Ctrl-C ends every process of its group', async () => {
  const { npm, group, url } = await npmStart();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const me = await api(url, '/v1/me');
  expect(await me.json()).toMatchObject({ scopes: ['admin'] });
  expect((await api(url, '/v1/me', {}, `lb_test_${'x'.repeat(32)}`)).status).toBe(401);
  expect((await membersOf(group)).length).toBeGreaterThanOrEqual(3);

  const ended = once(npm, 'exit');
  endGroup(group, 'SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(await membersOf(group)).toEqual([]);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test.each(['the whole group', 'the server alone', 'npm alone'])(
  'after kill -9 of %s the next start finds all data',
  async (whom) => {
    const first = await npmStart();
    const created = await api(first.url, '/v1/boards', { method: 'POST', body: '{"name": "Kept"}' });
    expect(created.status).toBe(201);
    const server = JSON.parse(await readFile(join(directory, 'leaseboard.pid'), 'utf8')) as { pid: number };
    const victims = {
      'the whole group': -first.group,
      'the server alone': server.pid,
      'npm alone': first.group,
    };
    const ended = once(first.npm, 'exit');
    process.kill(victims[whom as keyof typeof victims], 'SIGKILL');
    await ended;

    const second = await npmStart();
    const boards = (await (await api(second.url, '/v1/boards')).json()) as { items: { name: string }[] };
    expect(boards.items.map(({ name }) => name)).toEqual(['Kept']);
    expect(await membersOf(first.group)).toEqual([]);
    endGroup(second.group, 'SIGTERM');
    await once(second.npm, 'exit');
  },
);
