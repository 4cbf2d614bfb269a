/** Makes the closing call, and keeps at it while the API does not answer. */
import { isLeaseboardError, type LeaseboardError } from '../errors.ts';
import { sleep, type Platform } from '../platform.ts';
import { isMisread } from '../retry.ts';
import type { WorkerApi } from './api.ts';
import { failureOf, type Closing } from './closing.ts';
import type { WorkerEvent } from './events.ts';
import type { HeldLease } from './held-lease.ts';
import { askedMs, backoffMs } from './options.ts';

export interface Settler {
  readonly platform: Platform;
  readonly api: WorkerApi;
  readonly emit: (event: WorkerEvent) => void;
  /** Milliseconds from now within which a closing verb is still tried; asked before each try. */
  readonly patienceMs: () => number;
  /** Aborts waits between tries when patience shrinks, as it does at a shutdown. */
  readonly hurried: AbortSignal;
}

/** Ends the lease; never throws. A lease that cannot be ended runs out by itself. */
export async function settle(settler: Settler, lease: HeldLease, closing: Closing): Promise<void> {
  if (closing.verb === 'none') {
    settler.emit({ type: 'lost', detail: closing.detail, ...lease.ref });
    return;
  }
  const startedMs = settler.platform.monotonicMs();
  for (let tries = 1; ; tries += 1) {
    try {
      settler.emit(await call(settler.api, lease, closing));
      return;
    } catch (error) {
      const instead = onRefusal(closing, error);
      if (instead === 'repeat') {
        const leftMs = startedMs + settler.patienceMs() - settler.platform.monotonicMs();
        if (leftMs > 0) {
          await pause(settler, tries, error, leftMs);
          continue;
        }
        settler.emit({ type: 'unsettled', error, ...lease.ref });
        return;
      }
      if (instead === 'unsettled') settler.emit({ type: 'unsettled', error, ...lease.ref });
      else await settle(settler, lease, instead);
      return;
    }
  }
}

/** Whatever the API asks for, one try is left at the end of the patience. */
async function pause(settler: Settler, tries: number, error: unknown, leftMs: number): Promise<void> {
  const wait = Math.min(leftMs, Math.max(askedMs(error), backoffMs(tries, settler.platform.random())));
  await sleep(settler.platform, wait, settler.hurried).catch(() =>
    // Hurried: still one short wait, or the tries that are left would all be made in one instant.
    sleep(settler.platform, backoffMs(1, settler.platform.random())),
  );
}

async function call(
  api: WorkerApi,
  lease: HeldLease,
  closing: Exclude<Closing, { verb: 'none' }>,
): Promise<WorkerEvent> {
  const { lease_id: id, lease_token } = lease.claim;
  switch (closing.verb) {
    case 'complete':
      await api.complete(
        id,
        {
          lease_token,
          ...(closing.output === undefined ? {} : { output: closing.output }),
          ...closing.handOff,
        },
        lease.trace,
      );
      return { type: 'completed', ...lease.ref };
    case 'fail': {
      const { reason, kind, retryable, retryAfterSeconds } = closing;
      const input = {
        lease_token,
        reason,
        kind,
        ...(retryable === undefined ? {} : { retryable }),
        ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
      };
      const answer = await api.fail(id, input, lease.trace);
      return { type: 'failed', reason, deadLettered: answer.dead_lettered, ...lease.ref };
    }
    case 'release':
      await api.release(id, { lease_token, note: closing.note }, lease.trace);
      return { type: 'released', why: closing.why, ...lease.ref };
    case 'block':
      await api.block(id, { lease_token, reason: closing.reason }, lease.trace);
      break;
  }
  return { type: 'blocked', reason: closing.reason, ...lease.ref };
}

/** What a refused closing call leads to. */
function onRefusal(closing: Closing, error: unknown): Closing | 'repeat' | 'unsettled' {
  if (isLeaseboardError(error)) {
    if (error.code === 'lease_lost' || error.code === 'not_found') {
      return { verb: 'none', detail: error.message };
    }
    if (answersLater(error)) return 'repeat';
    if (closing.verb === 'complete' && error.code === 'parents_open') {
      return { verb: 'release', note: error.message, why: 'parents_open' };
    }
  }
  // An output that the column's schema, or JSON itself, does not take: the attempt failed, and says why.
  return closing.verb === 'complete' ? failureOf(refusedOutput(error)) : 'unsettled';
}

function refusedOutput(error: unknown): unknown {
  if (!isLeaseboardError(error)) return error;
  return new Error(`The completion was refused (${error.code}): ${error.message}`);
}

/** Failures that say nothing about the call itself: the API is away, busy or broken. */
function answersLater(error: LeaseboardError): boolean {
  return error.status === 0 || error.status === 429 || error.status >= 500 || isMisread(error);
}
