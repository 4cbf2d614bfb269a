/** The same records again: what Lambda does after any failure, and the local runtime after a kill. */
import { expect, test } from 'vitest';
import { lambdaRecord } from '../../local/stream-delivery.ts';
import { eventsOfRecord } from '../../shared/events/from-record.ts';
import type { OutgoingEvent } from '../../shared/events/log.ts';
import { eventKey, feedPageKey, feedPk } from '../../shared/store/keys.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { makeDesk, made } from '../cards/support/cards.ts';
import { readStream } from '../support/stream.ts';
import { mustClaim, renew } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, typesOf, wholeFeed } from './support/follow.ts';

async function pagesOf(world: World, board: string): Promise<string[][]> {
  const { items } = await world.main.store.query({
    pk: { name: 'pk', value: feedPk(board) },
    consistent: true,
  });
  return items.map((item) => item['events'] as string[]);
}

const texts = (events: readonly OutgoingEvent[]): string[] => events.map(({ text }) => text);

test('sends the same bytes, though the card has changed since', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const card = await made(world, desk, { title: 'As it was' });
  const records = await follower.records();
  await follower.fanOut(records);
  const patched = await patchCard(world.main, world.admin, { card: card.id, title: 'As it became' });
  await follower.fanOut(records);

  expect(patched.title).toBe('As it became');
  const [first, second] = texts(follower.sent);
  expect(second).toBe(first);
  expect(first).toContain('As it was');
  expect(follower.sent.map(({ again }) => again)).toEqual([false, true]);
});

test('an event is on one page of the feed, however often its record comes (ecotask #59)', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  for (let at = 0; at < 3; at += 1) await made(world, desk);
  const records = await follower.records();
  for (let times = 0; times < 4; times += 1) await follower.fanOut(records.slice(0, 2));
  await follower.fanOut(records);

  expect(await wholeFeed(world, desk.board.id)).toHaveLength(3);
  const pages = await pagesOf(world, desk.board.id);
  expect(pages.map((page) => page.length)).toEqual([2, 1]);
});

test('another instance that gets the records once more does not feed them again', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const first = await follow(world);
  const second = await follow(world, { engine: world.engine() });
  await made(world, desk);
  const records = await first.records();
  await first.fanOut(records);
  await second.fanOut(records);

  expect(await wholeFeed(world, desk.board.id)).toHaveLength(1);
  expect(texts(second.sent)).toEqual(texts(first.sent));
});

test('a crash between the log and the page is made good by the next delivery', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  await made(world, desk);
  await follower.pump();
  const card = await made(world, desk);
  const records = await follower.records();
  await follower.fanOut(records);
  // As if the instance had ended before its page was put.
  const key = feedPageKey(desk.board.id, 2);
  const taken = await world.main.store.get(key);
  await world.main.store.write({ kind: 'delete', key });
  expect(taken).toBeDefined();
  expect(await world.main.store.get(eventKey(card.id, 1))).toBeDefined();

  const outcome = await (await follow(world, { engine: world.engine() })).fanOut(records);
  expect(outcome.failed).toEqual([]);
  const events = await wholeFeed(world, desk.board.id);
  expect(events.map(({ card_id }) => card_id)).toEqual([expect.any(String), card.id]);
});

test('a crash after the page changes nothing: the same id, once', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const crashed = await follow(world, {
    step: async () => {
      throw new Error('the instance ended here');
    },
  });
  await made(world, desk);
  const records = await crashed.records();
  const outcome = await crashed.fanOut(records);
  expect(outcome.failed).toHaveLength(1);

  const after = await follow(world, { engine: world.engine() });
  await after.fanOut(records);
  expect(typesOf(await wholeFeed(world, desk.board.id))).toEqual(['card.created']);
  expect(typesOf(after.sent)).toEqual(['card.created']);
});

test('a write that is no transition makes no event again of the notes that it leaves in place', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  await made(world, desk);
  const worker = world.agent('worker-1');
  const held = await mustClaim(world.main, worker, desk.queue);
  for (let beat = 0; beat < 2; beat += 1) {
    world.clock.advance(20_000);
    await renew(world.main, worker, held);
  }
  const ofJob = (await readStream(world.table)).filter(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S === 'JOB');

  expect(ofJob.map(({ dynamodb }) => dynamodb?.NewImage?.['op']?.S)).toEqual([
    'create',
    'claim',
    'renew',
    'renew',
  ]);
  const events = ofJob.map((record) => typesOf(eventsOfRecord(lambdaRecord(record, 'arn'))));
  expect(events).toEqual([['card.created'], ['card.lease.claimed'], [], []]);
});
