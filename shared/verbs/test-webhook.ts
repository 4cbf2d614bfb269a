/**
 * Send a test event to a webhook, on the way that every event goes, and answer how it went: it waits a moment for
 * that, and shows the delivery as pending after it. A disabled webhook can be tested before it is turned on.
 */
import { actorOf, type Caller, type Engine } from '../engine.ts';
import type { DeliveryView } from '../views/webhook.ts';
import { byHandMessage } from '../webhooks/delivery.ts';
import { rowKey } from '../webhooks/delivery-rows.ts';
import { TEST_POLL_MS, TEST_WAIT_MS } from '../webhooks/policy.ts';
import { showDelivery } from '../webhooks/show.ts';
import { putTest } from '../webhooks/test-event.ts';
import { changeFor, type WebhookInput } from '../webhooks/webhook-for.ts';
import { DeliverySchema, type DeliveryItem } from '../store/webhook-items.ts';

export async function testWebhook(
  engine: Engine,
  caller: Caller,
  input: WebhookInput,
): Promise<DeliveryView> {
  const webhook = await changeFor(engine, caller, input, (current) => ({
    ...current,
    tests: current.tests + 1,
  }));
  const row = await putTest(engine, webhook, actorOf(caller));
  await engine.webhooks.queue.send([byHandMessage(row)]);
  return showDelivery(engine, await attempted(engine, row));
}

/** The row once its attempt is made, or as it is when the wait is over. */
async function attempted({ store, deps }: Engine, row: DeliveryItem): Promise<DeliveryItem> {
  const until = deps.now() + TEST_WAIT_MS;
  let current = row;
  while (current.attempts.length === 0 && deps.now() < until) {
    await deps.sleep(TEST_POLL_MS);
    const item = await store.get(rowKey(row));
    if (item !== undefined) current = DeliverySchema.parse(item);
  }
  return current;
}
