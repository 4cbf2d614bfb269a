/** Which events go to which webhook. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { OutgoingEvent } from '../../shared/events/log.ts';
import { pendingParentsKey } from '../../shared/store/keys.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { deleteWebhook } from '../../shared/verbs/delete-webhook.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { deliveriesStep } from '../../shared/webhooks/deliveries-step.ts';
import { wantedOf } from '../../shared/webhooks/matching.ts';
import type { DeliveryMessage, DeliveryQueue } from '../../shared/webhooks/message.ts';
import { columnNamed, refusal } from '../boards/support/board.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { admin } = world;
const URL = 'https://hooks.example.com/a';
const EventRead = z.object({ type: z.string(), card_id: z.string().nullable() });

async function typesSentTo(work: () => Promise<void>): Promise<string[]> {
  const { post, posted } = scriptedPost(() => answered(200));
  await work();
  await fanOut();
  await send(post);
  return posted.map(({ body }) => String((JSON.parse(body) as { type: unknown }).type));
}

describe('a webhook', () => {
  test('gets every event from its creation on, and none from before', async () => {
    const { create, card, board } = await newBoard();
    await card();
    await fanOut();
    await create({ url: URL });
    const types = await typesSentTo(async () => {
      await card();
      await updateBoard(engine, admin, { board: board.id, name: 'Renamed' });
    });
    expect(types).toEqual(['card.created', 'board.updated']);
  });

  test('gets the types that it names, of its own board only', async () => {
    const { create, card, board } = await newBoard();
    const other = await newBoard();
    await create({ url: URL, types: ['card.moved', 'board.updated'] });
    const types = await typesSentTo(async () => {
      const id = await card();
      await moveCard(engine, admin, { card: id, column_id: columnNamed(board, 'Triage').id });
      await other.card();
      await updateBoard(engine, admin, { board: other.board.id, name: 'Renamed too' });
    });
    expect(types).toEqual(['card.moved']);
  });

  test('gets nothing while it is turned off, and nothing once it is deleted', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    const place = { board: webhook.board_id, webhook: webhook.id };
    await patchWebhook(engine, admin, { ...place, enabled: false });
    expect(await typesSentTo(async () => void (await card()))).toEqual([]);
    await patchWebhook(engine, admin, { ...place, enabled: true });
    expect(await typesSentTo(async () => void (await card()))).toEqual(['card.created']);
    world.clock.advance(1_000);
    await card();
    await fanOut();
    await patchWebhook(engine, admin, { ...place, enabled: false });
    expect(await typesSentTo(async () => undefined)).toEqual([]);
    expect(await deliveries(webhook)).toMatchObject([
      { status: 'aborted', attempts: [{ error: 'Not sent: The webhook is disabled' }] },
      { status: 'delivered' },
    ]);
    await patchWebhook(engine, admin, { ...place, enabled: true });
    await card();
    await fanOut();
    await deleteWebhook(engine, admin, place);
    expect(await typesSentTo(async () => void (await card()))).toEqual([]);
    expect(world.deliveries.waiting).toEqual([]);
  });
});

describe('a subscription to one card', () => {
  test('gets that card’s events, outlives its completion, and ends when it is archived', async () => {
    const { create, card, board, look } = await newBoard();
    const id = await card();
    await fanOut();
    const webhook = await create({ url: URL, card_id: id });
    const done = { card: id, column_id: columnNamed(board, 'Done').id };
    expect(
      await typesSentTo(async () => {
        await card();
        await moveCard(engine, admin, done);
      }),
    ).toEqual(['card.moved']);
    expect(await look(webhook)).toMatchObject({ enabled: true });
    expect(await typesSentTo(async () => void (await reopenCard(engine, admin, { card: id })))).toEqual([
      'card.reopened',
    ]);
    expect(await typesSentTo(async () => void (await archiveCard(engine, admin, { card: id })))).toEqual([
      'card.archived',
    ]);
    expect(await look(webhook)).toMatchObject({ enabled: false, disabled_reason: 'card_archived' });
    expect(await typesSentTo(async () => void (await unarchiveCard(engine, admin, { card: id })))).toEqual(
      [],
    );
  });

  test('is inherited by its children and sub-cards when that is asked for, and by no other card', async () => {
    const { create, card } = await newBoard();
    const id = await card({ container: true });
    const parent = await card();
    await fanOut();
    await create({ url: URL, card_id: id, include_children: true, types: ['card.created', 'card.archived'] });
    await create({ url: 'https://hooks.example.com/alone', card_id: id });
    const { post, posted } = scriptedPost(() => answered(200));
    const sub = await card({ container_id: id });
    const child = await card({ parents: [id] });
    await card();
    const grandchild = await card({ parents: [child] });
    await linkCards(engine, admin, { card: id, parent_id: parent }, null);
    for (const own of [parent, grandchild, sub]) await archiveCard(engine, admin, { card: own });
    await fanOut();
    await send(post);
    const sent = posted.filter(({ url }) => url === URL).map(({ body }) => EventRead.parse(JSON.parse(body)));
    expect(sent).toEqual([
      { type: 'card.created', card_id: sub },
      { type: 'card.created', card_id: child },
      { type: 'card.archived', card_id: sub },
    ]);
    const alone = posted
      .filter(({ url }) => url !== URL)
      .map(({ body }) => EventRead.parse(JSON.parse(body)));
    expect(new Set(alone.map((event) => event.card_id))).toEqual(new Set([id]));
  });

  test('is inherited by a child whose links are still being written', async () => {
    const { board, card } = await newBoard();
    const [id, child] = [await card(), await card()];
    const item = { ...pendingParentsKey(child), v: 1, board_id: board.id, parents: [id] };
    await engine.store.write({ kind: 'put', item });
    const event = { type: 'card.created', cardId: child };
    const match = { event, webhook: { card_id: id, children: true as const } };
    const stranger = { event, webhook: { card_id: child.replace(/.$/, '0'), children: true as const } };
    expect(await wantedOf(engine.store, [stranger, match])).toEqual([match]);
    await fanOut();
  });

  test('of which a recovery sends what its children did too', async () => {
    const { create, card } = await newBoard();
    const id = await card();
    const child = await card({ parents: [id] });
    await card();
    await fanOut();
    const types = ['card.created' as const];
    await create({ url: URL, card_id: id, include_children: true, types, since: new Date(0).toISOString() });
    const { post, posted } = scriptedPost(() => answered(200));
    await send(post);
    expect(posted.map(({ body }) => EventRead.parse(JSON.parse(body)).card_id)).toEqual([id, child]);
  });

  test('has no children when it is to a whole board, and says so', async () => {
    const { create } = await newBoard();
    expect(await refusal(create({ url: URL, include_children: true }))).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining("'/include_children': goes with `card_id`"),
    });
  });
});

test('a board whose messages cannot be queued holds up no other board', async () => {
  const [sick, well] = [await newBoard(), await newBoard()];
  for (const own of [sick, well]) await own.create({ url: URL });
  const lost = await sick.card();
  await well.card();
  const queued: DeliveryMessage[] = [];
  const queue: DeliveryQueue = {
    send: async (messages) => {
      if (messages.some(({ message }) => message.board_id === sick.board.id)) throw new Error('no queue');
      queued.push(...messages.map(({ message }) => message));
    },
  };
  const reports: string[] = [];
  const step = deliveriesStep({
    store: engine.store,
    deps: engine.deps,
    queue,
    report: (message) => void reports.push(message),
  });
  const event = (boardId: string, subject: string): OutgoingEvent => ({
    id: `evt_${subject.slice(4)}_1`,
    type: 'card.created',
    subject,
    sequence: 1,
    boardId,
    cardId: subject,
    at: world.clock.now(),
    text: '{}',
    afterPage: 0,
    again: false,
    record: '1',
  });
  const other = await well.card();
  const again = await step([event(sick.board.id, lost), event(well.board.id, other)]);
  expect([...again]).toEqual([`evt_${lost.slice(4)}_1`]);
  expect(queued).toMatchObject([{ board_id: well.board.id, event_id: `evt_${other.slice(4)}_1` }]);
  expect(reports).toEqual(['deliveries not queued']);
});
