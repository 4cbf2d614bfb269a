/** What people do with webhooks and deliveries. */
import { describe, expect, test } from 'vitest';
import { eventId } from '../../shared/ids.ts';
import { CreateWebhookBody, PatchWebhookBody } from '../../shared/schemas/webhooks.ts';
import { jsonBytes } from '../../shared/text.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { createWebhook } from '../../shared/verbs/create-webhook.ts';
import { deleteWebhook } from '../../shared/verbs/delete-webhook.ts';
import { getWebhook } from '../../shared/verbs/get-webhook.ts';
import { listDeliveries } from '../../shared/verbs/list-deliveries.ts';
import { listWebhooks } from '../../shared/verbs/list-webhooks.ts';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { redeliver } from '../../shared/verbs/redeliver.ts';
import { rotateSecret } from '../../shared/verbs/rotate-secret.ts';
import { testWebhook } from '../../shared/verbs/test-webhook.ts';
import { newDelivery } from '../../shared/webhooks/delivery.ts';
import { ATTEMPTS_KEPT } from '../../shared/webhooks/policy.ts';
import { refusal } from '../boards/support/board.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { admin, clock } = world;
const URL = 'https://hooks.example.com/a';
const OK = scriptedPost(() => answered(200));

describe('creating a webhook', () => {
  test('shows its secret once and nowhere else', async () => {
    const { board, create } = await newBoard();
    const { secret, ...shown } = await create({ url: URL, types: ['card.moved'], description: 'CI' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      url: URL,
      types: ['card.moved'],
      description: 'CI',
      enabled: true,
      card_id: null,
    });
    expect(await getWebhook(engine, admin, { board: board.slug, webhook: shown.id })).toEqual(shown);
    expect((await listWebhooks(engine, admin, { board: board.id, limit: 50 })).items).toEqual([shown]);
  });

  test.each([
    'http://hooks.example.com/',
    'https://10.0.0.1/',
    'https://[::ffff:169.254.169.254]/',
    'https://a@b.example/',
  ])('refuses %s, naming the field', async (url) => {
    const { board, create } = await newBoard();
    expect(await refusal(create({ url }))).toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ path: '/url' }] },
    });
    expect((await listWebhooks(engine, admin, { board: board.id, limit: 50 })).items).toEqual([]);
  });

  test('takes this machine only where the installation says so', async () => {
    const { board, create } = await newBoard();
    const url = 'http://127.0.0.1:3000/hook';
    expect((await create({ url })).url).toBe(url);
    const deployed = { ...engine, webhooks: { ...engine.webhooks, targets: 'public' as const } };
    const refused = refusal(createWebhook(deployed, admin, { board: board.id, url }));
    expect(await refused).toMatchObject({ code: 'validation_failed' });
  });

  test('refuses unknown types and fields, and a card that is another board’s, archived or none', async () => {
    for (const body of [
      {},
      { url: URL, types: [] },
      { url: URL, types: ['card.created', 'card.created'] },
      { url: URL, types: ['webhook.test'] },
      { url: URL, secret: 'whsec_mine' },
      { url: URL, since: 'yesterday' },
      { url: 'x'.repeat(3_000) },
    ])
      expect(CreateWebhookBody.safeParse(body).success, JSON.stringify(body).slice(0, 80)).toBe(false);
    expect(PatchWebhookBody.safeParse({ card_id: 'crd_1' }).success).toBe(false);

    const { create, card } = await newBoard();
    const other = await newBoard();
    const foreign = await other.card();
    const own = await card();
    await archiveCard(engine, admin, { card: own });
    expect((await refusal(create({ url: URL, card_id: foreign }))).code).toBe('not_found');
    expect((await refusal(create({ url: URL, card_id: 'nope' }))).code).toBe('not_found');
    expect((await refusal(create({ url: URL, card_id: own }))).code).toBe('conflict');
  });

  test('stops at a hundred for a board', async () => {
    const { create } = await newBoard();
    for (let made = 0; made < 100; made += 1) await create({ url: URL });
    expect((await refusal(create({ url: URL }))).code).toBe('quota_exceeded');
  });
});

describe('the webhooks of a board', () => {
  test('are listed page by page, oldest first', async () => {
    const { board, create } = await newBoard();
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) {
      ids.push((await create({ url: URL })).id);
      clock.advance(1);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listWebhooks>> = await listWebhooks(engine, admin, {
        board: board.id,
        limit: 2,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
  });

  test('are not found from another board, nor by another board’s token', async () => {
    const { board, create, deliveries, card } = await newBoard();
    const other = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    await send(OK.post);
    const [delivery] = await deliveries(webhook);
    const bound = { ...admin, boardId: other.board.id };
    const place = { board: board.id, webhook: webhook.id };
    for (const call of [
      async () => getWebhook(engine, admin, { ...place, board: other.board.id }),
      async () => getWebhook(engine, bound, place),
      async () => patchWebhook(engine, bound, { ...place, enabled: false }),
      async () => rotateSecret(engine, bound, { ...place, grace_seconds: 0 }),
      async () => testWebhook(engine, bound, place),
      async () => listDeliveries(engine, bound, { ...place, limit: 50 }),
      async () => deleteWebhook(engine, bound, place),
      async () => redeliver(engine, bound, { delivery: delivery?.id ?? '' }),
      async () => redeliver(engine, admin, { delivery: 'dlv_nope' }),
      async () => getWebhook(engine, admin, { ...place, webhook: '#' }),
    ])
      expect((await refusal(call())).code).toBe('not_found');
    expect(await deliveries(webhook)).toHaveLength(1);
  });

  test('change as they are told, and only so', async () => {
    const { board, create } = await newBoard();
    const { secret: _, ...before } = await create({ url: URL, types: ['card.moved'], description: 'old' });
    const place = { board: board.id, webhook: before.id };
    const changed = await patchWebhook(engine, admin, {
      ...place,
      types: null,
      url: 'https://b.example.com/',
    });
    expect(changed).toEqual({ ...before, types: null, url: 'https://b.example.com/' });
    const refused = await refusal(patchWebhook(engine, admin, { ...place, url: 'https://127.0.0.1:70000/' }));
    expect(refused.code).toBe('validation_failed');
    expect(await getWebhook(engine, admin, place)).toEqual(changed);
    await deleteWebhook(engine, admin, place);
    expect((await refusal(getWebhook(engine, admin, place))).code).toBe('not_found');
    expect((await refusal(deleteWebhook(engine, admin, place))).code).toBe('not_found');
  });
});

test('deliveries are listed by status and page by page, the latest event first', async () => {
  const { create, card, board } = await newBoard();
  const webhook = await create({ url: URL });
  const cards: string[] = [];
  for (let made = 0; made < 5; made += 1) {
    cards.push(await card());
    clock.advance(10);
  }
  await fanOut();
  const second = cards[1] ?? '';
  await send(scriptedPost(({ body }) => answered(body.includes(second) ? 500 : 200)).post);
  const place = { board: board.id, webhook: webhook.id };
  const first = await listDeliveries(engine, admin, { ...place, limit: 2 });
  const next = await listDeliveries(engine, admin, { ...place, limit: 10, cursor: first.next_cursor ?? '' });
  const seen = [...first.items, ...next.items].map(
    ({ request }) => (JSON.parse(request.body ?? '') as { card_id: string }).card_id,
  );
  expect(seen).toEqual(cards.toReversed());
  const failed = await listDeliveries(engine, admin, { ...place, limit: 10, status: 'failed' });
  expect(
    failed.items.map(({ request }) => (JSON.parse(request.body ?? '') as { card_id: string }).card_id),
  ).toEqual([second]);
  expect((await refusal(listDeliveries(engine, admin, { ...place, limit: 2, cursor: 'x' }))).code).toBe(
    'invalid_cursor',
  );
  world.deliveries.clear();
});

test('deliveries whose receiver answered nothing but control characters come in pages that a function can answer', async () => {
  const { create, board } = await newBoard();
  const webhook = await create({ url: URL });
  const now = clock.now();
  const attempt = {
    at: now,
    url: URL,
    duration_ms: 1,
    status_code: 500,
    response_excerpt: '\0'.repeat(1_024),
  };
  const rows = Array.from({ length: 60 }, (_, at) => {
    const subject = `crd_${'0'.repeat(24)}${String(at).padStart(2, '0')}`;
    const id = eventId(subject, 1);
    const event = { id, type: 'card.created', subject, sequence: 1, boardId: board.id, at: now + at };
    return {
      ...newDelivery(event, webhook.id, now),
      attempts: Array.from({ length: ATTEMPTS_KEPT }, () => attempt),
    };
  });
  await Promise.all(rows.map(async (item) => engine.store.write({ kind: 'put', item })));
  const place = { board: board.id, webhook: webhook.id, limit: 100 };
  const first = await listDeliveries(engine, admin, place);
  expect(jsonBytes(first)).toBeLessThan(5_000_000);
  const second = await listDeliveries(engine, admin, { ...place, cursor: first.next_cursor ?? '' });
  expect(second.next_cursor).toBeNull();
  expect([...first.items, ...second.items].map((item) => item.event_id)).toEqual(
    rows.map((row) => row.event_id).toReversed(),
  );
});
