/** Asks for work while there are free slots, at the pace that the server asks for. */
import { isLeaseboardError } from '../errors.ts';
import { sleep, type Platform } from '../platform.ts';
import type { Claim, ClaimInput } from '../types.ts';
import { isMisread, mayRepeat } from '../retry.ts';
import { LARGEST_CLAIM_BATCH, type Claimed, type WorkerApi } from './api.ts';
import type { WorkerEvent } from './events.ts';
import { askedMs, backoffMs, LONGEST_ASKED_WAIT_MS, LONGEST_BACKOFF_MS } from './options.ts';
import type { Slots } from './slots.ts';

/** Wait after an empty answer that carries no hint. */
const UNHINTED_WAIT_MS = 1_000;

export interface ClaimLoop {
  readonly platform: Platform;
  readonly api: WorkerApi;
  readonly slots: Slots;
  readonly input: ClaimInput;
  readonly emit: (event: WorkerEvent) => void;
  /** Aborts when no more work is wanted. */
  readonly stopping: AbortSignal;
  /** End when a claim found nothing and nothing is in hand. */
  readonly untilEmpty: boolean;
  /** Takes a claimed card; `sentAtMs` is when its claim was sent. */
  readonly start: (claim: Claim, sentAtMs: number) => void;
}

/** A claim as it is sent, and sent again when its answer is lost: the same key and body, the same cards. */
interface Asking {
  readonly key: string;
  readonly max: number;
}

/**
 * Runs until `stopping` aborts (or the queue is empty, when asked). Throws what no waiting can mend: a token
 * that is not accepted, a board that is not there, a body that is refused.
 */
export async function claimLoop(loop: ClaimLoop): Promise<void> {
  let unanswered: Asking | undefined;
  for (let failures = 0; !loop.stopping.aborted;) {
    const free = await loop.slots.free(loop.stopping);
    if (free === 0) return;
    const asking = unanswered ?? { key: loop.platform.newKey(), max: Math.min(free, LARGEST_CLAIM_BATCH) };
    let waitMs: number;
    try {
      const claimed = await claimOnce(loop, asking);
      unanswered = undefined;
      failures = 0;
      if (claimed.claims.length > 0) continue;
      if (loop.untilEmpty && loop.slots.taken === 0) return;
      waitMs = hintMs(claimed);
    } catch (error) {
      failures += 1;
      unanswered = isLeaseboardError(error) && mayRepeat(error, 'keyed') ? asking : undefined;
      waitMs = failedClaimMs(error, failures, loop.platform.random());
      loop.emit({ type: 'claim_failed', error, retryInMs: waitMs });
    }
    await pause(loop, waitMs);
  }
}

/** A claim under way is never given up: its card would be held by nobody until the lease ends. */
async function claimOnce(loop: ClaimLoop, asking: Asking): Promise<Claimed> {
  const sentAtMs = loop.platform.monotonicMs();
  const options = { idempotencyKey: asking.key, retries: 0 };
  const claimed = await loop.api.claim(asking.max, loop.input, options);
  for (const claim of claimed.claims) loop.start(claim, sentAtMs);
  return claimed;
}

/** A loop that ends with an empty queue also asks again as soon as its last card is settled. */
async function pause(loop: ClaimLoop, waitMs: number): Promise<void> {
  const settled = new AbortController();
  if (loop.untilEmpty && loop.slots.taken > 0) void loop.slots.drained().then(() => settled.abort());
  await sleep(loop.platform, waitMs, AbortSignal.any([loop.stopping, settled.signal])).catch(() => {});
}

function hintMs(claimed: Claimed): number {
  if (claimed.retryAfterSeconds === null) return UNHINTED_WAIT_MS;
  return Math.min(LONGEST_ASKED_WAIT_MS, claimed.retryAfterSeconds * 1000);
}

/** Wait before the next claim; throws the error when waiting cannot help. */
export function failedClaimMs(error: unknown, failures: number, random: number): number {
  if (!isLeaseboardError(error)) throw error;
  // The queue was switched off by a person, who may switch it on again.
  if (error.code === 'contract_disabled') return LONGEST_BACKOFF_MS;
  const { status } = error;
  const mends = status === 0 || status === 409 || status === 429 || status >= 500 || isMisread(error);
  if (!mends) throw error;
  return Math.max(backoffMs(failures, random), askedMs(error));
}
