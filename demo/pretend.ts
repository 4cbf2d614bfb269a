/** Work that only takes time, and tells of itself as real work would. */
import { PLATFORM, type JobContext, type Platform } from '../client/index.ts';
import { sleep } from '../client/platform.ts';

const STEPS = ['reading the report', 'reproducing it', 'writing a fix', 'running the tests'] as const;

/** Takes `milliseconds`, or rejects as soon as the job has to stop. */
export async function pretendToWork(
  job: JobContext,
  milliseconds: number,
  platform: Platform = PLATFORM,
): Promise<void> {
  for (const [index, step] of STEPS.entries()) {
    job.progress(Math.round((100 * index) / STEPS.length), step);
    await sleep(platform, milliseconds / STEPS.length, job.signal);
  }
}
