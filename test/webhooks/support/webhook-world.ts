/**
 * A world with everything between a transition and a receiver: the table's real stream, the fan-out, the queue and
 * the sender. Time stands still until a test moves it.
 */
import type { Engine } from '../../../shared/engine.ts';
import { createFanOut } from '../../../shared/events/fan-out.ts';
import type { CreateCardBody } from '../../../shared/schemas/cards.ts';
import type { CreateWebhookBody } from '../../../shared/schemas/webhooks.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { createWebhook, type CreatedWebhook } from '../../../shared/verbs/create-webhook.ts';
import { getWebhook } from '../../../shared/verbs/get-webhook.ts';
import { listDeliveries } from '../../../shared/verbs/list-deliveries.ts';
import { listEvents } from '../../../shared/verbs/list-events.ts';
import type { BoardDetail } from '../../../shared/views/board.ts';
import type { DeliveryView, WebhookView } from '../../../shared/views/webhook.ts';
import { deliveriesStep } from '../../../shared/webhooks/deliveries-step.ts';
import { createPost, type Post } from '../../../shared/webhooks/post.ts';
import { sendBatch } from '../../../shared/webhooks/send-batch.ts';
import { makeBoard } from '../../boards/support/board.ts';
import type { TestTable } from '../../support/dynamodb.ts';
import { StreamTail } from '../../support/stream.ts';
import { createWorld, type World } from '../../support/world.ts';

export interface WebhookWorld {
  readonly world: World;
  readonly engine: Engine;
  /** Lines that the sender or the fan-out reported. */
  readonly reported: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** Fans out what has happened since the last call, and answers the records. */
  readonly fanOut: (again?: readonly unknown[]) => Promise<readonly unknown[]>;
  /** Sends all that is due, through `post` or for real, until nothing is due any more. */
  readonly send: (post?: Post) => Promise<void>;
  /** Moves the clock to the next message in the queue, and sends; false when there is none. */
  readonly sendNext: (post?: Post) => Promise<boolean>;
  readonly newBoard: () => Promise<WebhookBoard>;
}

/** A board of one story's own. */
export interface WebhookBoard {
  readonly board: BoardDetail;
  readonly create: (input: Partial<CreateWebhookBody> & { url: string }) => Promise<CreatedWebhook>;
  readonly card: (input?: Partial<CreateCardBody>) => Promise<string>;
  readonly look: (webhook: { id: string }) => Promise<WebhookView>;
  readonly deliveries: (webhook: { id: string }) => Promise<DeliveryView[]>;
  /** Types of the board's events, oldest first. */
  readonly happened: () => Promise<string[]>;
}

export async function createWebhookWorld(): Promise<WebhookWorld> {
  const world = await createWorld({ stream: true });
  const engine = world.main;
  const reported: WebhookWorld['reported'] = [];
  const report = (message: string, fields: Readonly<Record<string, unknown>>) =>
    void reported.push({ message, fields });
  const stream = transitionsOf(world.table);
  const { store, deps } = engine;
  const webhooks = deliveriesStep({ store, deps, report, queue: engine.webhooks.queue });
  const fan = createFanOut({ store, deps, report, steps: { webhooks } });
  const send = async (post: Post = createPost({ targets: 'loopback' })) => {
    for (let batch = world.deliveries.take(); batch.length > 0; batch = world.deliveries.take()) {
      const bodies = batch.map((message) => JSON.stringify(message));
      const failed = await sendBatch({ engine, post, report }, bodies);
      if (failed.length > 0) throw new Error(`Messages failed: ${JSON.stringify(reported)}`);
    }
  };
  return {
    world,
    engine,
    reported,
    send,
    fanOut: async (again = []) => {
      const records = [...again, ...(await stream())];
      const { failed } = await fan(records);
      if (failed.length > 0) throw new Error(`The fan-out failed: ${JSON.stringify(reported)}`);
      return records;
    },
    sendNext: async (post) => {
      const [next] = world.deliveries.waiting;
      if (next === undefined) return false;
      world.clock.advance(Math.max(0, Math.ceil(next.due - world.clock.now())));
      await send(post);
      return true;
    },
    newBoard: async () => boardOf(world, await makeBoard(world)),
  };
}

function boardOf(world: World, board: BoardDetail): WebhookBoard {
  const { main: engine, admin } = world;
  return {
    board,
    create: async (input) => createWebhook(engine, admin, { board: board.id, ...input }),
    card: async (input = {}) => {
      const body = { board: board.id, title: 'A card', ...input };
      return (await createCard(engine, admin, body, null)).value.id;
    },
    look: async ({ id }) => getWebhook(engine, admin, { board: board.id, webhook: id }),
    deliveries: async ({ id }) =>
      (await listDeliveries(engine, admin, { board: board.id, webhook: id, limit: 100 })).items,
    happened: async () => {
      const feed = await listEvents(engine, admin, { board: board.id, limit: 100, wait_seconds: 0 });
      return feed.items.map(({ type }) => type);
    },
  };
}

/** The transitions in the table's stream since the last call: what the mapping's filter would let through. */
function transitionsOf(table: TestTable): () => Promise<unknown[]> {
  const tail = StreamTail.of(table);
  return async () => {
    const records = await (await tail).read();
    return records.filter(({ dynamodb }) => ['JOB', 'BOARD'].includes(dynamodb?.Keys?.['sk']?.S ?? ''));
  };
}
