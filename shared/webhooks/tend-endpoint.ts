/**
 * What an endpoint's failures lead to, never silently: a board event (and with it the feed, the bus and the other
 * webhooks) and a line in the log. Reported once per row of failures; disabled after days of nothing else.
 */
import { editBoard } from '../boards/edit-board.ts';
import { SYSTEM, type Caller } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { expression } from '../store/conditions.ts';
import { endpointKey, webhookKey } from '../store/keys.ts';
import { difference, type Update } from '../store/params.ts';
import type { EndpointItem, WebhookItem } from '../store/webhook-items.ts';
import { iso } from '../views/time.ts';
import { parseEndpoint } from './endpoint.ts';
import { DISABLE_AFTER_MS, DISABLE_FAILURES, FAILING_AFTER_MS } from './policy.ts';
import type { SenderParts } from './sender.ts';
import { turnedOff, type DisabledReason } from './webhook.ts';
import { readWebhook } from './webhook-rows.ts';

const SENDER: Caller = {
  tokenId: SYSTEM.id,
  tokenName: SYSTEM.id,
  scopes: ['admin'],
  boardId: null,
  agent: null,
};

/** @param exhausted A delivery has just had its last attempt. */
export async function tendEndpoint(
  parts: SenderParts,
  webhook: WebhookItem,
  endpoint: EndpointItem,
  exhausted: boolean,
): Promise<void> {
  const { failing_since: since, failures = 0 } = endpoint;
  if (since === undefined) return;
  const failingFor = parts.engine.deps.now() - since;
  if (failingFor >= DISABLE_AFTER_MS && failures >= DISABLE_FAILURES) {
    const why = `Only failures since ${iso(since)}, ${failures} in all`;
    await disable(parts, webhook, 'failing', why);
  } else if (endpoint.reported_at === undefined && (exhausted || failingFor >= FAILING_AFTER_MS)) {
    await reportFailing(parts, webhook, `Only failures since ${iso(since)}`);
  }
}

/** The receiver is gone, or wants nothing more. */
export async function disableAtItsWord(
  parts: SenderParts,
  webhook: WebhookItem,
  reason: 'gone' | 'asked',
): Promise<void> {
  const why = { gone: 'The receiver answered 410', asked: 'The receiver answered webhook-delivery: disable' };
  await disable(parts, webhook, reason, why[reason]);
}

async function disable(
  parts: SenderParts,
  { board_id, webhook_id }: WebhookItem,
  reason: DisabledReason,
  why: string,
): Promise<void> {
  const { store, deps } = parts.engine;
  await tell(parts, board_id, webhook_id, 'webhook.disabled', why, async () => {
    const current = await readWebhook(store, board_id, webhook_id);
    if (current?.enabled !== true) return null;
    const now = deps.now();
    const after = { ...turnedOff(current, reason, now), rev: current.rev + 1, updated_at: now };
    return {
      kind: 'update',
      key: webhookKey(board_id, webhook_id),
      ...difference(current, after),
      condition: expression('#rev = :c_rev', { rev: current.rev }),
    };
  });
}

async function reportFailing(
  parts: SenderParts,
  { board_id, webhook_id }: WebhookItem,
  why: string,
): Promise<void> {
  const { store, deps } = parts.engine;
  const key = endpointKey(webhook_id);
  await tell(parts, board_id, webhook_id, 'webhook.failing', why, async () => {
    const endpoint = parseEndpoint(await store.get(key));
    if (endpoint.failing_since === undefined || endpoint.reported_at !== undefined) return null;
    const condition = expression(
      'attribute_exists(#failing_since) AND attribute_not_exists(#reported_at)',
      {},
    );
    return { kind: 'update', key, set: { reported_at: deps.now() }, remove: [], condition };
  });
}

/**
 * The event and what it tells of, in one transaction: each is told once, however many senders see it at once.
 *
 * @param change Null when it is told already.
 */
async function tell(
  { engine, report }: SenderParts,
  boardId: string,
  webhookId: string,
  type: 'webhook.failing' | 'webhook.disabled',
  why: string,
  change: () => Promise<Update | null>,
): Promise<void> {
  const told = await forExisting(async () =>
    editBoard(engine, SENDER, boardId, async (board) => {
      const write = await change();
      if (write === null) return { answer: false };
      return {
        after: board.item,
        op: type.replace('.', '_'),
        events: [{ type, by: SYSTEM, reason: why, webhook_id: webhookId }],
        also: [write],
        result: () => true,
      };
    }),
  );
  if (told) report(type, { board_id: boardId, webhook_id: webhookId, why });
}

/** A board that is being deleted hears of nothing any more. */
async function forExisting(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (isProblem(error) && error.code === 'not_found') return false;
    throw error;
  }
}
