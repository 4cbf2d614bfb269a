/**
 * The deliveries of one batch to one endpoint: one after the other under one slot, so that a quick endpoint gets many
 * for the price of one slot, and a slow one holds the batch no longer than a chain.
 */
import { endpointKey, webhookKey } from '../store/keys.ts';
import {
  DeliverySchema,
  WebhookSchema,
  type EndpointItem,
  type WebhookItem,
} from '../store/webhook-items.ts';
import { isWanted } from './delivery.ts';
import { rowKey } from './delivery-rows.ts';
import { giveBack, isDead, parseEndpoint, takeSlot } from './endpoint.ts';
import type { QueuedMessage, SendMessage } from './message.ts';
import { CHAIN_MS, TIMEOUTS_TO_PROBE } from './policy.ts';
import { comeBack, giveUp, passOver, record } from './record.ts';
import { reseal } from './reseal.ts';
import { sendOnce } from './send-once.ts';
import type { SenderParts, Wanted } from './sender.ts';
import { tallyOf, type Sent } from './tally.ts';
import { disableAtItsWord, tendEndpoint } from './tend-endpoint.ts';
import { isServed } from './webhook.ts';

/** @param messages Of one webhook. Those whose attempt was made already are passed by. */
export async function sendChain(parts: SenderParts, messages: readonly SendMessage[]): Promise<void> {
  const { webhook, endpoint, wanted } = await readChain(parts, messages);
  const served = webhook !== undefined && isServed(webhook);
  const open = wanted.filter(({ message }) => served || message.kind === 'by_hand');
  const unwelcome = wanted.filter((each) => webhook === undefined || !open.includes(each));
  for (const each of unwelcome) await giveUp(parts, each, webhook);
  if (webhook === undefined || open.length === 0) return;
  const answer = await takeSlot(
    parts.engine.store,
    webhook.board_id,
    webhook.webhook_id,
    endpoint,
    parts.engine.deps.now(),
  );
  if (typeof answer === 'object') {
    await reseal(parts.engine, webhook);
    await sendUnder(parts, webhook, endpoint, open, answer.slot);
  } else {
    const queued = await Promise.all(
      open.map(async (each) => (answer === 'dead' ? passOver(parts, webhook, each) : comeBack(parts, each))),
    );
    await parts.engine.webhooks.queue.send(queued.flat());
  }
}

async function readChain({ engine: { store } }: SenderParts, messages: readonly SendMessage[]) {
  const { board_id = '', webhook_id = '' } = messages[0] ?? {};
  const [webhook, endpoint, ...rows] = await store.batchGet([
    webhookKey(board_id, webhook_id),
    endpointKey(webhook_id),
    ...messages.map(rowKey),
  ]);
  // Copies of one message may come in one batch.
  const wanted = new Map<string, Wanted>();
  for (const [at, message] of messages.entries()) {
    const row = rows[at] === undefined ? undefined : DeliverySchema.parse(rows[at]);
    if (row === undefined || !isWanted(row, message)) continue;
    wanted.set(`${message.kind} ${message.event_id}`, { message, row });
  }
  return {
    webhook: webhook === undefined ? undefined : WebhookSchema.parse(webhook),
    endpoint: parseEndpoint(endpoint),
    wanted: [...wanted.values()],
  };
}

/** What a chain came to. */
interface Chain {
  readonly sends: Sent[];
  readonly queued: QueuedMessage[];
  exhausted: boolean;
  disable: 'gone' | 'asked' | null;
  /** Why what is left was not sent: the time was up, or the endpoint is dead. */
  stopped: 'late' | 'dead';
}

async function sendUnder(
  parts: SenderParts,
  webhook: WebhookItem,
  endpoint: EndpointItem,
  open: readonly Wanted[],
  slot: Parameters<typeof giveBack>[2],
): Promise<void> {
  const { store } = parts.engine;
  const chain: Chain = { sends: [], queued: [], exhausted: false, disable: null, stopped: 'late' };
  const left = [...open];
  let after: EndpointItem;
  try {
    await runChain(parts, webhook, endpoint, left, chain);
  } finally {
    after = await giveBack(store, webhook.webhook_id, slot, tallyOf(chain.sends));
  }
  if (chain.disable !== null) await disableAtItsWord(parts, webhook, chain.disable);
  else await tendEndpoint(parts, webhook, after, chain.exhausted);
  for (const each of left) {
    if (chain.disable !== null && each.message.kind === 'attempt') await giveUp(parts, each, webhook);
    else if (chain.stopped === 'dead') chain.queued.push(...(await passOver(parts, webhook, each)));
    else chain.queued.push(...comeBack(parts, each));
  }
  await parts.engine.webhooks.queue.send(chain.queued);
}

/** Takes from `left` what it sends. */
async function runChain(
  parts: SenderParts,
  webhook: WebhookItem,
  endpoint: EndpointItem,
  left: Wanted[],
  chain: Chain,
): Promise<void> {
  const { store, deps, leaseKeys: keys } = parts.engine;
  const until = deps.now() + CHAIN_MS;
  let timeouts = isDead(endpoint) ? TIMEOUTS_TO_PROBE : (endpoint.timeouts ?? 0);
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const outcome = await sendOnce({ store, deps, keys, post: parts.post }, webhook, next.row);
    const recorded = await record(parts, next, outcome.attempt, outcome.verdict);
    chain.queued.push(...recorded.queued);
    if (next.message.kind === 'attempt') {
      chain.sends.push({ at: outcome.attempt.at, result: outcome.result });
      chain.exhausted ||= recorded.exhausted;
    }
    chain.disable = outcome.disable;
    timeouts = outcome.result === 'timeout' ? timeouts + 1 : 0;
    if (timeouts >= TIMEOUTS_TO_PROBE) chain.stopped = 'dead';
    if (chain.disable !== null || chain.stopped === 'dead' || deps.now() >= until) return;
  }
}
