import { setTimeout as sleep } from 'node:timers/promises';

/** Short enough that nobody notices, long enough that polling costs nothing beside what is waited for. */
const POLL_MS = 25;

/**
 * Polls until `condition` holds.
 *
 * @param what Completes "Waited N ms for ...", for the error at the limit.
 * @throws Error when it does not hold within `limitMs`.
 */
export async function waitUntil(
  what: string,
  limitMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms for ${what}.`);
    await sleep(POLL_MS);
  }
}
