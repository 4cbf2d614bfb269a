/** What an answer means: Standard Webhooks' rules, and the header with which a receiver commands the sender. */
import type { Verdict } from './delivery.ts';
import { parseRetryAfter } from './ladder.ts';
import type { PostResult } from './post.ts';

export interface Judged {
  readonly verdict: Verdict;
  /** The receiver wants nothing more: it is gone, or it says so. */
  readonly disable: 'gone' | 'asked' | null;
}

const GONE = 410;

/** Only 2xx is success: a redirect is none, and is not followed. */
export function judge(result: PostResult, now: number): Judged {
  if (!('answer' in result)) return { verdict: { kind: 'failed', retryAfterMs: null }, disable: null };
  const { status, command, retryAfter } = result.answer;
  const disable = command === 'disable' ? 'asked' : status === GONE ? 'gone' : null;
  if (status >= 200 && status < 300) return { verdict: { kind: 'delivered' }, disable };
  if (disable !== null || command === 'abort-message') return { verdict: { kind: 'aborted' }, disable };
  return { verdict: { kind: 'failed', retryAfterMs: parseRetryAfter(retryAfter, now) }, disable };
}
