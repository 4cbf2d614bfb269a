/** A receiver that verifies with the independent library, at the moment that the sender signed. */
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { Posted } from './scripted-post.ts';

/** The event, or null when the library refuses it. The world's clock is not the wall's, which the library reads. */
export function verifiedBy(secret: string, { body, headers }: Posted): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } catch {
    return null;
  } finally {
    vi.useRealTimers();
  }
}
