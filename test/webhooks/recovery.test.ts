/** Sending again what a webhook has not got. */
import { describe, expect, test } from 'vitest';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { recover } from '../../shared/verbs/recover.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { OVERDUE_MS } from '../../shared/webhooks/policy.ts';
import { refusal } from '../boards/support/board.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, sendNext, newBoard } = await createWebhookWorld();
const { admin, clock } = world;
const URL = 'https://hooks.example.com/a';
const iso = (ms: number) => new Date(ms).toISOString();
const cardOf = ({ body }: { body: string }) => (JSON.parse(body) as { card_id: string }).card_id;

describe('recovering a webhook', () => {
  test('sends what failed and what happened while it was off, since a time, and nothing twice', async () => {
    const { create, card, look, board } = await newBoard();
    const before = await card();
    await fanOut();
    clock.advance(60_000);
    const since = clock.now();
    const webhook = await create({ url: URL });
    const place = { board: board.id, webhook: webhook.id };
    const got = await card();
    await fanOut();
    await send(scriptedPost(() => answered(200)).post);
    const lost = await card();
    await fanOut();
    while (await sendNext(scriptedPost(() => answered(500)).post));
    await patchWebhook(engine, admin, { ...place, enabled: false });
    const missed = await card();
    await fanOut();
    expect((await refusal(recover(engine, admin, { ...place, since: iso(since) }))).code).toBe('conflict');
    await patchWebhook(engine, admin, { ...place, enabled: true, types: ['card.created'] });

    const { post, posted } = scriptedPost(() => answered(200));
    const recovering = await recover(engine, admin, { ...place, since: iso(since) });
    expect(recovering.recovering_since).toBe(iso(since));
    await send(post);
    expect(posted.map(cardOf)).toEqual([lost, missed]);
    expect(posted.map(cardOf)).not.toContain(before);
    expect(posted.map(cardOf)).not.toContain(got);
    expect(await look(webhook)).toMatchObject({ recovering_since: null });
    await recover(engine, admin, { ...place, since: iso(since) });
    await send(post);
    expect(posted).toHaveLength(2);
  });

  test('begins with its creation when that says since when, and goes on where it was lost', async () => {
    const { create, card, look } = await newBoard();
    const cards: string[] = [];
    const since = clock.now();
    for (let made = 0; made < 130; made += 1) cards.push(await card());
    await fanOut();
    const webhook = await create({ url: URL, since: iso(since) });
    expect(await look(webhook)).toMatchObject({ recovering_since: iso(since) });
    world.deliveries.clear();
    clock.advance(OVERDUE_MS);
    await reap(engine, clock.now() + 60_000);
    const { post, posted } = scriptedPost(() => answered(200));
    await send(post);
    expect(new Set(posted.map(cardOf))).toEqual(new Set(cards));
    expect(posted).toHaveLength(cards.length);
    expect(await look(webhook)).toMatchObject({ recovering_since: null });
  });

  test('of a board where nothing has happened is over at once', async () => {
    const { create, look } = await newBoard();
    const webhook = await create({ url: URL, since: iso(clock.now()) });
    await send(scriptedPost(() => answered(200)).post);
    expect(await look(webhook)).toMatchObject({ recovering_since: null });
  });
});
