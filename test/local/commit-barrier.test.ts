import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { commitBarrier } from '../../local/commit-barrier.ts';

// That a transaction survives kill -9 right after its answer is shown in npm-start.slow.test.ts, by the whole.

let directory: string;
let journal: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-barrier-'));
  journal = join(directory, 'shared-local-instance.db-journal');
  onTestFinished(async () => rm(directory, { recursive: true }));
});

/** Starts waiting; `isOver` tells whether it has ended by now. */
function wait(barrier: () => Promise<void>) {
  let isOver = false;
  const done = barrier().then(() => (isOver = true));
  return { done, isOver: () => isOver };
}

test('without a journal there is nothing to wait for', async () => {
  await commitBarrier(directory)();
});

test('it waits until the journal is gone', async () => {
  await writeFile(journal, '');
  const { done, isOver } = wait(commitBarrier(directory));
  await writeFile(join(directory, 'other'), '');
  expect(isOver()).toBe(false);
  await rm(journal);
  await done;
});

test('a later journal is none of its business', async () => {
  await writeFile(journal, '');
  const barrier = commitBarrier(directory);
  const first = wait(barrier);
  await rm(journal);
  await writeFile(journal, '');
  const second = wait(barrier);
  await first.done;
  expect(second.isOver()).toBe(false);
  await rm(journal);
  await second.done;
});

test('a journal that stays does not hold up an answer for ever', async () => {
  await writeFile(journal, '');
  await commitBarrier(directory)();
});
