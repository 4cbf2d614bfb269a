import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { endEarlierStart } from '../../local/own-record.ts';
import { waitUntil } from '../../local/wait-until.ts';

const MODULE = new URL('../../local/own-record.ts', import.meta.url).href;
const LIMIT_MS = 10_000;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-own-'));
  onTestFinished(async () => rm(directory, { recursive: true }));
});

/**
 * A parent that stands for npm, and its child that records itself as `npm start` does.
 *
 * @param watches Whether the child ends itself when its parent is gone.
 */
async function startUnderParent(watches: boolean, lifecycle = 'start') {
  const child = `const own = await import(${JSON.stringify(MODULE)});
    await own.recordThisStart(${JSON.stringify(directory)});
    if (${watches}) own.watchParent(() => process.exit());
    setInterval(() => undefined, 1000);
    console.log(process.pid);`;
  const parent = `require('node:child_process').spawn(process.execPath,
    ['--input-type=module', '-e', ${JSON.stringify(child)}], { stdio: 'inherit' });`;
  const npm = spawn(process.execPath, ['--input-type=commonjs', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: lifecycle },
  });
  const [line] = (await once(npm.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  onTestFinished(() => {
    for (const left of [npm.pid ?? 0, pid]) {
      try {
        process.kill(left, 'SIGKILL');
      } catch {
        // It has ended, as it should.
      }
    }
  });
  return { npm, pid };
}

async function runs(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== '';
}

/** The system has given the child another parent. */
async function isOrphan(pid: number, parentPid: number | undefined): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return !status.includes(`PPid:\t${parentPid}\n`);
}

test('a start whose npm was killed is ended by the next one', async () => {
  const { npm, pid } = await startUnderParent(false);
  npm.kill('SIGKILL');
  await waitUntil('the child to be an orphan', LIMIT_MS, async () => isOrphan(pid, npm.pid));
  await endEarlierStart(directory);
  expect(await runs(pid)).toBe(false);
});

test('a start whose npm still runs is left alone', async () => {
  const { pid } = await startUnderParent(false);
  await endEarlierStart(directory);
  expect(await runs(pid)).toBe(true);
});

test('a start ends itself once its npm is gone', async () => {
  const { npm, pid } = await startUnderParent(true);
  npm.kill('SIGKILL');
  await waitUntil('the child to end', LIMIT_MS, async () => !(await runs(pid)));
});

test('a start without npm may outlive its parent', async () => {
  const { npm, pid } = await startUnderParent(true, 'other');
  npm.kill('SIGKILL');
  await waitUntil('the child to be an orphan', LIMIT_MS, async () => isOrphan(pid, npm.pid));
  await endEarlierStart(directory);
  expect(await runs(pid)).toBe(true);
});
