/** One attempt at one delivery: signed, sent, and what the receiver made of it. */
import type { LeaseKeys } from '../lease-keys.ts';
import type { Deps } from '../deps.ts';
import type { Attempt, WebhookItem } from '../store/webhook-items.ts';
import type { Post, PostResult } from './post.ts';
import type { Wanted } from './sender.ts';
import { traceparentOf } from '../trace-context.ts';
import { signatureHeaders } from './signature.ts';
import { judge, type Judged } from './verdict.ts';
import { signingSecrets } from './webhook.ts';

export interface SendParts {
  readonly deps: Deps;
  readonly keys: LeaseKeys;
  readonly post: Post;
}

export interface Outcome extends Judged {
  readonly attempt: Attempt;
  /** `unsent`: there was nothing to send, which says nothing of the endpoint. */
  readonly result: 'delivered' | 'failed' | 'timeout' | 'unsent';
}

const USER_AGENT = 'Leaseboard-Webhooks/1';

/** The same headers and bytes at each attempt, but for its time and its signatures. Never rejects for the receiver. */
export async function sendOnce(
  parts: SendParts,
  webhook: WebhookItem,
  { row, text }: Wanted,
): Promise<Outcome> {
  const at = parts.deps.now();
  if (text === null) {
    const attempt = { at, url: webhook.url, duration_ms: 0, error: 'The event is no longer kept' };
    return { attempt, result: 'unsent', verdict: { kind: 'aborted' }, disable: null };
  }
  const result = await sendText(parts, webhook, row.event_id, text, at);
  const ended = parts.deps.now();
  const attempt = { at, url: webhook.url, duration_ms: ended - at, ...told(result) };
  const judged = judge(result, ended);
  return { ...judged, attempt, result: 'problem' in result ? result.problem : successOf(judged) };
}

async function sendText(
  { keys, post }: SendParts,
  webhook: WebhookItem,
  eventId: string,
  text: string,
  now: number,
): Promise<PostResult> {
  let secrets: Buffer[];
  try {
    secrets = signingSecrets(webhook, keys, now);
  } catch (error) {
    return { problem: 'failed', error: `Not signed: ${error instanceof Error ? error.message : 'unknown'}` };
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...signatureHeaders(eventId, now, text, secrets),
    ...traceHeader(text),
  };
  return post(webhook.url, headers, text);
}

/** Beside the signed headers: a receiver may go on with the trace, and must not trust it. */
function traceHeader(text: string): Record<string, string> {
  const traceparent = traceparentOf(text);
  return traceparent === null ? {} : { traceparent };
}

function told(result: PostResult): Pick<Attempt, 'status_code' | 'response_excerpt' | 'error'> {
  if ('problem' in result) return { error: result.error };
  return { status_code: result.answer.status, response_excerpt: result.answer.excerpt };
}

function successOf({ verdict }: Judged): 'delivered' | 'failed' {
  return verdict.kind === 'delivered' ? 'delivered' : 'failed';
}
