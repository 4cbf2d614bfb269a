/** A worker's own process: does what its parent assigns, asks before each card, and ends with its parent. */
import { PLATFORM, type JobContext, type Worker } from '../../client/index.ts';
import { hire } from './hire.ts';
import { told, type Assignment } from './member.ts';
import type { FromWorker, ToWorker } from './process-member.ts';
import { workOff } from './work.ts';

const waiting = new Map<string, () => void>();
let worker: Worker | undefined;

function say(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}

async function work(job: JobContext, seed: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  job.signal.addEventListener('abort', stop, { once: true });
  waiting.set(job.lease.id, resolve);
  say({ say: 'claimed', leaseId: job.lease.id });
  await promise;
  waiting.delete(job.lease.id);
  return workOff(job, seed, PLATFORM);
}

async function start(assignment: Assignment): Promise<void> {
  worker = hire(
    assignment,
    PLATFORM,
    (job) => work(job, assignment.seed),
    (event) => say({ say: 'happened', told: told(event) }),
  );
  await worker.run();
  process.disconnect();
}

process.on('message', (message: ToWorker) => {
  if (message.say === 'start') void start(message.assignment);
  else if (message.say === 'stop') void worker?.stop({ graceSeconds: 0 });
  else waiting.get(message.leaseId)?.();
});
// The parent is gone, or this worker has ended: either way there is nothing left to do here.
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the parent stops its workers in order.
process.on('SIGINT', () => {});
