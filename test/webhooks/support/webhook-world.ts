/**
 * A world with everything between a transition and a receiver: the table's real stream, the fan-out, the queue and
 * the sender. Time stands still until a test moves it.
 */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { ShardReader } from '../../../local/shard-reader.ts';
import type { Engine } from '../../../shared/engine.ts';
import { createFanOut } from '../../../shared/events/fan-out.ts';
import type { CreateCardBody } from '../../../shared/schemas/cards.ts';
import type { CreateWebhookBody } from '../../../shared/schemas/webhooks.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { createWebhook, type CreatedWebhook } from '../../../shared/verbs/create-webhook.ts';
import { listDeliveries } from '../../../shared/verbs/list-deliveries.ts';
import type { BoardDetail } from '../../../shared/views/board.ts';
import type { DeliveryView } from '../../../shared/views/webhook.ts';
import { deliveriesStep } from '../../../shared/webhooks/deliveries-step.ts';
import { createPost, type Post } from '../../../shared/webhooks/post.ts';
import { sendBatch } from '../../../shared/webhooks/send-batch.ts';
import { makeBoard } from '../../boards/support/board.ts';
import type { TestTable } from '../../support/dynamodb.ts';
import { createWorld, type World } from '../../support/world.ts';

export interface WebhookWorld {
  readonly world: World;
  readonly engine: Engine;
  readonly board: BoardDetail;
  /** Lines that the sender or the fan-out reported. */
  readonly reported: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** Fans out what has happened since the last call. */
  readonly fanOut: () => Promise<void>;
  /** Sends all that is due, through `post` or for real, until nothing is due any more. */
  readonly send: (post?: Post) => Promise<void>;
  /** Moves the clock to the next message in the queue, and sends; false when there is none. */
  readonly sendNext: (post?: Post) => Promise<boolean>;
  readonly create: (input: Partial<CreateWebhookBody> & { url: string }) => Promise<CreatedWebhook>;
  readonly card: (input?: Partial<CreateCardBody>) => Promise<string>;
  readonly deliveries: (webhook: { id: string }) => Promise<DeliveryView[]>;
}

export async function createWebhookWorld(): Promise<WebhookWorld> {
  const world = await createWorld();
  const engine = world.main;
  const reported: WebhookWorld['reported'] = [];
  const report = (message: string, fields: Readonly<Record<string, unknown>>) =>
    void reported.push({ message, fields });
  const board = await makeBoard(world);
  const stream = tableStream(world.table);
  const { store, deps } = engine;
  const webhooks = deliveriesStep({ store, deps, queue: engine.webhooks.queue });
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
    board,
    reported,
    send,
    fanOut: async () => {
      const { failed } = await fan(await stream());
      if (failed.length > 0) throw new Error(`The fan-out failed: ${JSON.stringify(reported)}`);
    },
    sendNext: async (post) => {
      const [next] = world.deliveries.waiting;
      if (next === undefined) return false;
      world.clock.advance(Math.max(0, Math.ceil(next.due - world.clock.now())));
      await send(post);
      return true;
    },
    create: async (input) => createWebhook(engine, world.admin, { board: board.id, ...input }),
    card: async (input = {}) => {
      const body = { board: board.id, title: 'A card', ...input };
      return (await createCard(engine, world.admin, body, null)).value.id;
    },
    deliveries: async ({ id }) =>
      (await listDeliveries(engine, world.admin, { board: board.id, webhook: id, limit: 100 })).items,
  };
}

/** The transitions in the table's stream since the last call; DynamoDB Local has one shard. */
function tableStream({ client, clientOptions, tableName }: TestTable): () => Promise<unknown[]> {
  const streams = new DynamoDBStreamsClient({ ...clientOptions });
  let reader: ShardReader | undefined;
  const open = async (): Promise<ShardReader> => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const streamArn = Table?.LatestStreamArn ?? '';
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shardId = StreamDescription?.Shards?.[0]?.ShardId ?? '';
    return new ShardReader(streams, { streamArn, shardId, parentId: null, after: null });
  };
  return async () => {
    reader ??= await open();
    const all: unknown[] = [];
    for (let records = await reader.read(); records.length > 0; records = await reader.read()) {
      all.push(
        ...records.filter(({ dynamodb }) => ['JOB', 'BOARD'].includes(dynamodb?.Keys?.['sk']?.S ?? '')),
      );
    }
    return all;
  };
}
