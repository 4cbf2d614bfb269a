/** One attempt at one delivery, from its event's row to what the receiver made of it. */
import type { LeaseKeys } from '../lease-keys.ts';
import type { Deps } from '../deps.ts';
import { textOfRow } from '../events/log.ts';
import { EventRowSchema } from '../store/event-items.ts';
import { eventKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { Attempt, DeliveryItem, WebhookItem } from '../store/webhook-items.ts';
import type { Post, PostResult } from './post.ts';
import { signatureHeaders } from './signature.ts';
import { judge, type Judged } from './verdict.ts';
import { signingSecrets } from './webhook.ts';

export interface SendParts {
  readonly store: Store;
  readonly deps: Deps;
  readonly keys: LeaseKeys;
  readonly post: Post;
}

export interface Outcome extends Judged {
  readonly attempt: Attempt;
  readonly result: 'delivered' | 'failed' | 'timeout';
}

const USER_AGENT = 'Leaseboard-Webhooks/1';

/** The same headers and bytes at each attempt, but for its time and its signatures. Never rejects for the receiver. */
export async function sendOnce(parts: SendParts, webhook: WebhookItem, row: DeliveryItem): Promise<Outcome> {
  const { store, deps } = parts;
  const at = deps.now();
  const item = await store.get(eventKey(row.subject, row.sequence));
  const result =
    item === undefined ? GONE : await sendText(parts, webhook, row, textOfRow(EventRowSchema.parse(item)));
  const ended = deps.now();
  const attempt = { at, url: webhook.url, duration_ms: ended - at, ...told(result) };
  if (result === GONE) return { attempt, result: 'failed', verdict: { kind: 'aborted' }, disable: null };
  const judged = judge(result, ended);
  return { ...judged, attempt, result: 'problem' in result ? result.problem : successOf(judged) };
}

/** The card was deleted with its board, and its events with it. */
const GONE: PostResult = { problem: 'failed', error: 'The event is no longer kept' };

async function sendText(
  { deps, keys, post }: SendParts,
  webhook: WebhookItem,
  row: DeliveryItem,
  text: string,
): Promise<PostResult> {
  const now = deps.now();
  let secrets: Buffer[];
  try {
    secrets = signingSecrets(webhook, keys, now);
  } catch (error) {
    return { problem: 'failed', error: `Not signed: ${error instanceof Error ? error.message : 'unknown'}` };
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...signatureHeaders(row.event_id, now, text, secrets),
  };
  return post(webhook.url, headers, text);
}

function told(result: PostResult): Pick<Attempt, 'status_code' | 'response_excerpt' | 'error'> {
  if ('problem' in result) return { error: result.error };
  return { status_code: result.answer.status, response_excerpt: result.answer.excerpt };
}

function successOf({ verdict }: Judged): 'delivered' | 'failed' {
  return verdict.kind === 'delivered' ? 'delivered' : 'failed';
}
