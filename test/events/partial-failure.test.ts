/** A batch of which a part fails: that part comes again, the rest is out. */
import { EventBridgeClient, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startEventBridgeEndpoint, type EventBridgeEndpoint } from '../../local/eventbridge-endpoint.ts';
import { eventBusStep } from '../../shared/aws/event-bus.ts';
import type { EventEnvelope } from '../../shared/events/envelope.ts';
import type { Engine } from '../../shared/engine.ts';
import { Store, type Written } from '../../shared/store/store.ts';
import type { Write } from '../../shared/store/params.ts';
import { documentClient } from '../../shared/store/client.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { make, makeDesk, made } from '../cards/support/cards.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, typesOf, wholeFeed } from './support/follow.ts';

/** An engine whose table refuses some writes, as a throttled partition does. */
function refusing(world: World, isRefused: (write: Write) => boolean): Engine {
  const engine = world.engine();
  class ThrottledStore extends Store {
    override async write(write: Write): Promise<Written> {
      if (isRefused(write)) throw new Error('ProvisionedThroughputExceeded');
      return super.write(write);
    }
  }
  const client = documentClient(world.table.clientOptions);
  const store = new ThrottledStore({ tableName: world.table.tableName, client, deps: engine.deps });
  return { ...engine, leaseKeys: world.leaseKeys, store };
}

const numberOf = (record: unknown): string =>
  (record as { dynamodb: { SequenceNumber: string } }).dynamodb.SequenceNumber;

test('an event that cannot be logged is named, and those of other cards are out (C-21, a poison pill)', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const [first, stuck, last] = [await made(world, desk), await made(world, desk), await made(world, desk)];
  let throttled = true;
  const engine = refusing(
    world,
    (write) =>
      throttled && write.kind === 'put' && write.item.pk === stuck.id && write.item.sk.startsWith('EVT#'),
  );
  const follower = await follow(world, { engine });
  // Written again, since following begins now.
  for (const card of [first, stuck, last])
    await patchCard(world.main, world.admin, { card: card.id, title: 'Changed' });
  const records = await follower.records();
  const outcome = await follower.fanOut(records);

  expect(outcome.failed).toEqual(records.slice(1, 2).map(numberOf));
  const out = (await wholeFeed(world, desk.board.id)).map(({ card_id }) => card_id);
  expect(out).toEqual([first.id, last.id]);

  throttled = false;
  expect((await follower.fanOut(records.slice(1))).failed).toEqual([]);
  expect((await wholeFeed(world, desk.board.id)).map(({ card_id }) => card_id)).toEqual([
    first.id,
    last.id,
    stuck.id,
  ]);
});

test('behind an event that cannot be logged its card’s next ones wait, so that they stay in order', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const card = await made(world, desk);
  let throttled = true;
  const engine = refusing(
    world,
    (write) => throttled && write.kind === 'put' && write.item.sk === 'EVT#000000002',
  );
  const follower = await follow(world, { engine });
  for (const title of ['Second', 'Third']) await patchCard(world.main, world.admin, { card: card.id, title });
  const records = await follower.records();
  const outcome = await follower.fanOut(records);

  expect(outcome.failed).toEqual(records.map(numberOf));
  expect(follower.sent).toEqual([]);
  throttled = false;
  await follower.fanOut(records);
  expect(follower.sent.map(({ sequence }) => sequence)).toEqual([2, 3]);
});

test('a board whose feed cannot be written holds up no other board, and the bus goes on', async () => {
  const world = await createWorld({ stream: true });
  const [sick, well] = [await makeDesk(world), await makeDesk(world)];
  const engine = refusing(
    world,
    (write) => write.kind === 'put' && write.item.pk === `FEED#${sick.board.id}`,
  );
  // The first page of a lot goes another way.
  const warm = await follow(world);
  await made(world, sick);
  await made(world, well);
  await warm.pump();
  const follower = await follow(world, { engine });
  const lost = await made(world, sick);
  const kept = await made(world, well);
  const records = await follower.records();
  const outcome = await follower.fanOut(records);

  expect(outcome.failed).toEqual(records.slice(0, 1).map(numberOf));
  expect((await wholeFeed(world, well.board.id)).at(-1)?.card_id).toBe(kept.id);
  expect(follower.sent.map(({ cardId }) => cardId)).toEqual([lost.id, kept.id]);
});

describe('on the bus', () => {
  let endpoint: EventBridgeEndpoint;
  let bus: EventBridgeClient;
  beforeEach(async () => {
    endpoint = await startEventBridgeEndpoint((_, error) => {
      throw error;
    });
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    bus = new EventBridgeClient({ endpoint: endpoint.url, region: 'us-east-1', credentials });
    onTestFinished(async () => {
      bus.destroy();
      await endpoint.close();
    });
  });

  const step = (world: World, client: Pick<EventBridgeClient, 'send'>, reported: unknown[] = []) =>
    eventBusStep({
      busName: 'leaseboard',
      client,
      deps: world.main.deps,
      report: (...said) => reported.push(said),
    });

  test('is every event, under its type, with the envelope as the feed has it', async () => {
    const world = await createWorld({ stream: true });
    const desk = await makeDesk(world);
    const follower = await follow(world, { step: step(world, bus) });
    for (let at = 0; at < 23; at += 1) await made(world, desk);
    const [outcome] = await follower.pump();

    expect(outcome).toEqual({ events: 23, failed: [] });
    const fed = await wholeFeed(world, desk.board.id);
    const onBus = endpoint.recent();
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const details = onBus.map(({ detail }) => detail as EventEnvelope);
    expect(details.toSorted(byId)).toEqual(fed.toSorted(byId));
    expect(onBus[0]).toMatchObject({
      bus: 'leaseboard',
      source: 'leaseboard',
      detailType: 'card.created',
      time: details[0]?.timestamp,
      resources: [`urn:leaseboard:board:${desk.board.id}`, `urn:leaseboard:card:${details[0]?.card_id}`],
    });
  });

  test('carries the card’s trace as AWS hands it on to targets', async () => {
    const world = await createWorld({ stream: true });
    const desk = await makeDesk(world);
    const entries: PutEventsRequestEntry[] = [];
    const client = {
      send: async ({ input }: { input: { Entries: PutEventsRequestEntry[] } }) => {
        entries.push(...input.Entries);
        return { Entries: input.Entries.map(() => ({ EventId: 'e' })) };
      },
    } as unknown as Pick<EventBridgeClient, 'send'>;
    const follower = await follow(world, { step: step(world, client) });
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
    for (const flags of ['01', '00']) await make(world, desk, {}, { traceparent: `${trace}-${flags}` });
    await made(world, desk);
    await follower.pump();
    const root = 'Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;Parent=00f067aa0ba902b7';
    expect(entries.map((entry) => entry.TraceHeader)).toEqual([
      `${root};Sampled=1`,
      `${root};Sampled=0`,
      undefined,
    ]);
  });

  /** A bus that refuses the entries of a type, so many times. */
  function fussy(isRefused: (entry: { Detail?: string | undefined }) => boolean, times: number) {
    let left = times;
    const sizes: number[] = [];
    const client = {
      send: async (command: { input: { Entries: { Detail?: string }[] } }) => {
        const entries = command.input.Entries;
        sizes.push(entries.length);
        const refusing = left > 0 && entries.some(isRefused);
        if (refusing) left -= 1;
        const Entries = entries.map((entry) =>
          refusing && isRefused(entry) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'x' },
        );
        return { FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length, Entries };
      },
    };
    return { client: client as unknown as Pick<EventBridgeClient, 'send'>, sizes };
  }

  test('an entry that is refused once is sent again, alone', async () => {
    const world = await createWorld({ stream: true });
    const desk = await makeDesk(world);
    const { client, sizes } = fussy(({ Detail = '' }) => Detail.includes('"title":"Refused"'), 1);
    const follower = await follow(world, { step: step(world, client) });
    for (const title of ['Fine', 'Refused', 'Fine too']) await made(world, desk, { title });

    expect(await follower.pump()).toEqual([{ events: 3, failed: [] }]);
    expect(sizes).toEqual([3, 1]);
  });

  test('an entry that stays refused fails its record and no other', async () => {
    const world = await createWorld({ stream: true });
    const desk = await makeDesk(world);
    const reported: unknown[] = [];
    const { client } = fussy(({ Detail = '' }) => Detail.includes('"title":"Refused"'), 1_000);
    const follower = await follow(world, { step: step(world, client, reported) });
    for (const title of ['Fine', 'Refused', 'Fine too']) await made(world, desk, { title });
    const records = await follower.records();
    const outcome = await follower.fanOut(records);

    expect(outcome.failed).toEqual(records.slice(1, 2).map(numberOf));
    expect(typesOf(await wholeFeed(world, desk.board.id))).toHaveLength(3);
    expect(reported).toEqual([
      [
        'event not on the bus',
        { event_id: expect.stringMatching(/^evt_/), reason: 'ThrottlingException' },
        'WARN',
      ],
    ]);
  });

  test('a bus that is gone fails the batch’s records, while log and feed go on', async () => {
    const world = await createWorld({ stream: true });
    const desk = await makeDesk(world);
    const client = { send: () => Promise.reject(new Error('gone')) };
    const follower = await follow(world, { step: step(world, client as never) });
    for (let at = 0; at < 12; at += 1) await made(world, desk);
    const [outcome] = await follower.pump();

    expect(outcome?.failed).toHaveLength(12);
    expect(await wholeFeed(world, desk.board.id)).toHaveLength(12);
  });
});
