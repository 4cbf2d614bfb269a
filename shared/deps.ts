/**
 * Clock, chance and waiting: handed to the engine, so that a test or a simulation owns them. The only place
 * that asks the platform for them.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export interface Deps {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Uniform in [0, 1). Spreads picks and delays; never makes secrets. */
  random(): number;
  /** `bytes` of cryptographic chance, base64url. */
  secret(bytes: number): string;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemDeps: Deps = {
  now: () => Date.now(),
  random: () => Math.random(),
  secret: (bytes) => randomBytes(bytes).toString('base64url'),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
  },
};
