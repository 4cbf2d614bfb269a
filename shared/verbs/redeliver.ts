/**
 * Send a delivery once more, whatever became of it: the same bytes under the same id, signed with the present
 * secret. It counts neither for nor against the endpoint, and goes to a disabled webhook too.
 */
import { mayKnow } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import type { DeliveryView } from '../views/webhook.ts';
import { askedByHand, byHandMessage } from '../webhooks/delivery.ts';
import { changeDelivery, findDelivery } from '../webhooks/delivery-rows.ts';
import { showDelivery } from '../webhooks/show.ts';
import { readWebhook } from '../webhooks/webhook-rows.ts';

export async function redeliver(
  engine: Engine,
  caller: Caller,
  input: { delivery: string },
): Promise<DeliveryView> {
  const { store, deps, webhooks } = engine;
  const row = await findDelivery(store, input.delivery);
  if (row === undefined || !mayKnow(caller, row.board_id)) throw notFound('delivery', input.delivery);
  const webhook = await readWebhook(store, row.board_id, row.webhook_id);
  if (webhook === undefined) throw notFound('delivery', input.delivery);
  const now = deps.now();
  const asked = await changeDelivery(store, row, now, (current) => askedByHand(current, now));
  if (asked === undefined) throw notFound('delivery', input.delivery);
  await webhooks.queue.send([byHandMessage(asked)]);
  return showDelivery(engine, asked);
}
