import { describe, expect, test } from 'vitest';
import { lambdaWorker, type Handler, type JobContext } from '../../client/index.ts';
import { FakeQueue } from './support/fake-queue.ts';
import { settled } from './support/platforms.ts';

/** A function on the queue, called with `leftMs` of its time left. */
function call(queue: FakeQueue, handler: Handler, leftMs: number): Promise<void> {
  const client = queue.client(queue.clock.platform);
  const wake = lambdaWorker({ client, board: 'demo', column: 'col_1' }, handler, (options, by) =>
    queue.worker(by, options),
  );
  return wake({}, { getRemainingTimeInMillis: () => leftMs });
}

describe('a worker in a function', () => {
  test('drains the column and returns', async () => {
    const queue = new FakeQueue();
    queue.waiting = ['a', 'b', 'c'];
    await call(queue, () => 1, 900_000);
    expect(queue.called('complete')).toHaveLength(3);
    expect(queue.clock.pendingTimers).toBe(0);
  });

  test('does not wait where nothing is', async () => {
    const queue = new FakeQueue();
    await call(queue, () => 1, 900_000);
    expect(queue.called('claim').map((made) => made.input['wait_seconds'])).toEqual([0]);
  });

  test('claims nothing more 15 s before its time is up, and gives back what is not done', async () => {
    const queue = new FakeQueue();
    queue.waiting = ['a', 'b'];
    const jobs: JobContext[] = [];
    const running = call(
      queue,
      (job) => {
        jobs.push(job);
        return new Promise((_, reject) => {
          job.signal.addEventListener('abort', () => reject(job.signal.reason));
        });
      },
      60_000,
    );
    await settled();
    await queue.clock.advance(45_000 + 10_000 - 1);
    expect(jobs[0]?.signal.aborted).toBe(false);
    await queue.clock.advance(1);
    await running;
    expect(queue.called('release')).toHaveLength(1);
    expect(queue.waiting).toEqual(['b']);
  });
});
