/** Which events go to which webhook. */
import { describe, expect, test } from 'vitest';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { deleteWebhook } from '../../shared/verbs/delete-webhook.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { columnNamed } from '../boards/support/board.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { admin } = world;
const URL = 'https://hooks.example.com/a';

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
});
