/**
 * The deliveries of one batch to one endpoint: one after the other under one slot, so that a quick endpoint gets many
 * for the price of one slot, and a slow one holds the batch no longer than a chain.
 */
import { endpointKey } from '../store/keys.ts';
import type { EndpointItem, WebhookItem } from '../store/webhook-items.ts';
import { giveBack, isDead, parseEndpoint, takeSlot, type Slot, type SlotAnswer } from './endpoint.ts';
import type { SendMessage } from './message.ts';
import { CHAIN_MS, SLOT_POLL_MS, SLOT_WAIT_MS, TIMEOUTS_TO_PROBE } from './policy.ts';
import { readChain } from './read-chain.ts';
import { comeBack, giveUp, passOver, record, type Recorded } from './record.ts';
import { reseal } from './reseal.ts';
import { sendOnce } from './send-once.ts';
import type { SenderParts, Wanted } from './sender.ts';
import { tallyOf, type Sent } from './tally.ts';
import { disableAtItsWord, tendEndpoint } from './tend-endpoint.ts';
import { isServed } from './webhook.ts';

/** @param messages Of one webhook. Those whose attempt was made already are passed by. */
export async function sendChain(parts: SenderParts, messages: readonly SendMessage[]): Promise<void> {
  const { webhook, endpoint, wanted } = await readChain(parts.engine.store, messages);
  const served = webhook !== undefined && isServed(webhook);
  const open = wanted.filter(({ message }) => served || message.kind === 'by_hand');
  const unwelcome = wanted.filter((each) => webhook === undefined || !open.includes(each));
  for (const each of unwelcome) await giveUp(parts, each, webhook);
  if (webhook === undefined || open.length === 0) return;
  await reseal(parts.engine, webhook);
  const answer = await slotFor(parts, webhook, endpoint);
  if (typeof answer === 'object') {
    await sendUnder(parts, webhook, endpoint, open, answer.slot);
  } else {
    const queued = await Promise.all(
      open.map(async (each) => (answer === 'dead' ? passOver(parts, webhook, each) : comeBack(parts, each))),
    );
    await parts.engine.webhooks.queue.send(queued.flat());
  }
}

/**
 * A slot now, or within a moment when the endpoint answers as it should. One that has begun to time out is not waited
 * for: that would hold up the others in the batch.
 */
async function slotFor(parts: SenderParts, webhook: WebhookItem, seen: EndpointItem): Promise<SlotAnswer> {
  const { store, deps } = parts.engine;
  const until = deps.now() + SLOT_WAIT_MS;
  let endpoint = seen;
  for (;;) {
    const answer = await takeSlot(store, webhook.board_id, webhook.webhook_id, endpoint, deps.now());
    if (answer !== 'crowded' || (endpoint.timeouts ?? 0) > 0 || deps.now() >= until) return answer;
    await deps.sleep(SLOT_POLL_MS * (0.5 + deps.random()));
    endpoint = parseEndpoint(await store.get(endpointKey(webhook.webhook_id)));
  }
}

/** What a chain came to. */
interface Chain {
  readonly sends: Sent[];
  /** Under way beside the sends: a slot is not held for the table's sake. */
  readonly recording: Promise<Recorded>[];
  disable: 'gone' | 'asked' | null;
  /** Why what is left was not sent: the time was up, or the endpoint is dead. */
  stopped: 'late' | 'dead';
}

async function sendUnder(
  parts: SenderParts,
  webhook: WebhookItem,
  endpoint: EndpointItem,
  open: readonly Wanted[],
  slot: Slot,
): Promise<void> {
  const { store, webhooks } = parts.engine;
  const chain: Chain = { sends: [], recording: [], disable: null, stopped: 'late' };
  const left = [...open];
  await runChain(parts, webhook, endpoint, left, chain);
  const giving = giveBack(store, webhook.webhook_id, slot, tallyOf(chain.sends));
  const [after, recorded] = await Promise.all([giving, Promise.all(chain.recording)]);
  const queued = recorded.flatMap((each) => each.queued);
  if (chain.disable !== null) await disableAtItsWord(parts, webhook, chain.disable);
  else
    await tendEndpoint(
      parts,
      webhook,
      after,
      recorded.some(({ exhausted }) => exhausted),
    );
  for (const each of left) {
    if (chain.disable !== null && each.message.kind === 'attempt') await giveUp(parts, each, webhook);
    else if (chain.stopped === 'dead') queued.push(...(await passOver(parts, webhook, each)));
    else queued.push(...comeBack(parts, each));
  }
  await webhooks.queue.send(queued);
}

/** Takes from `left` what it sends. */
async function runChain(
  parts: SenderParts,
  webhook: WebhookItem,
  endpoint: EndpointItem,
  left: Wanted[],
  chain: Chain,
): Promise<void> {
  const { deps, leaseKeys: keys } = parts.engine;
  const until = deps.now() + CHAIN_MS;
  let timeouts = isDead(endpoint) ? TIMEOUTS_TO_PROBE : (endpoint.timeouts ?? 0);
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const outcome = await sendOnce({ deps, keys, post: parts.post }, webhook, next);
    chain.recording.push(handled(record(parts, next, outcome.attempt, outcome.verdict)));
    if (outcome.result === 'unsent') continue;
    if (next.message.kind === 'attempt') {
      chain.sends.push({ at: outcome.attempt.at, result: outcome.result });
    }
    chain.disable = outcome.disable;
    timeouts = outcome.result === 'timeout' ? timeouts + 1 : 0;
    if (timeouts >= TIMEOUTS_TO_PROBE) chain.stopped = 'dead';
    if (chain.disable !== null || chain.stopped === 'dead' || deps.now() >= until) return;
  }
}

/** What it rejects with is for whoever awaits it in the end; until then nobody does, and Node would end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
