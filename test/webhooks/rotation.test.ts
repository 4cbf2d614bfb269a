/** Secrets that change, of a webhook and of the installation, while deliveries go on. */
import { describe, expect, test } from 'vitest';
import { parseLeaseKeys } from '../../shared/lease-keys.ts';
import { RotateSecretBody } from '../../shared/schemas/webhooks.ts';
import { webhookKey } from '../../shared/store/keys.ts';
import { rotateSecret } from '../../shared/verbs/rotate-secret.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { refusal } from '../boards/support/board.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { verifiedBy } from './support/verified-by.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { admin, clock } = world;
const URL = 'https://hooks.example.com/a';

describe('rotating the secret', () => {
  test('signs with both for the grace that is asked for, then with the new one alone', async () => {
    const { create, card, board } = await newBoard();
    const created = await create({ url: URL });
    const rotated = await rotateSecret(engine, admin, {
      board: board.id,
      webhook: created.id,
      grace_seconds: 3_600,
    });
    expect(rotated.secret).not.toBe(created.secret);
    expect(rotated.previous_secret_expires_at).toBe(new Date(clock.now() + 3_600_000).toISOString());
    const { post, posted } = scriptedPost(() => answered(200));
    await card();
    await fanOut();
    await send(post);
    clock.advance(3_600_000);
    await card();
    await fanOut();
    await send(post);
    const [during, after] = posted;
    if (during === undefined || after === undefined) throw new Error('Two deliveries were expected');
    expect([created.secret, rotated.secret].map((secret) => verifiedBy(secret, during) !== null)).toEqual([
      true,
      true,
    ]);
    expect([created.secret, rotated.secret].map((secret) => verifiedBy(secret, after) !== null)).toEqual([
      false,
      true,
    ]);
  });

  test('is refused while an earlier one’s grace lasts, unless forced', async () => {
    const { create, board, card } = await newBoard();
    const first = await create({ url: URL });
    const place = { board: board.id, webhook: first.id };
    const second = await rotateSecret(engine, admin, { ...place, grace_seconds: 60 });
    expect(await refusal(rotateSecret(engine, admin, { ...place, grace_seconds: 60 }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('force'),
    });
    const third = await rotateSecret(engine, admin, { ...place, grace_seconds: 60, force: true });
    const { post, posted } = scriptedPost(() => answered(200));
    await card();
    await fanOut();
    await send(post);
    const [sent] = posted;
    if (sent === undefined) throw new Error('A delivery was expected');
    const accepted = [first, second, third].map(({ secret }) => verifiedBy(secret, sent) !== null);
    expect(accepted).toEqual([false, true, true]);
    clock.advance(60_000);
    const now = await rotateSecret(engine, admin, { ...place, grace_seconds: 0 });
    expect(now.previous_secret_expires_at).toBeNull();
  });

  test('takes a grace of a day by default, and a week at most', () => {
    expect(RotateSecretBody.parse({})).toEqual({ grace_seconds: 86_400 });
    expect(RotateSecretBody.safeParse({ grace_seconds: 604_800 }).success).toBe(true);
    for (const grace_seconds of [-1, 604_801, 1.5, '60'])
      expect(RotateSecretBody.safeParse({ grace_seconds }).success).toBe(false);
  });

  test('of the lease key seals the secrets anew as they are used', async () => {
    const { create, card, board } = await newBoard();
    const webhook = await create({ url: URL });
    const K1 = 'a test key of at least 32 characters';
    const K2 = 'another test key of 32 characters or more';
    const keysOf = (keys: object) => parseLeaseKeys(JSON.stringify(keys));
    const rotating = { ...engine, leaseKeys: keysOf({ current: 'k2', k1: K1, k2: K2 }) };
    const { post, posted } = scriptedPost(() => answered(200));
    await card();
    await fanOut();
    const batch = () => world.deliveries.take().map((message) => JSON.stringify(message));
    await sendBatch({ engine: rotating, post, report: () => undefined }, batch());
    const item = await engine.store.get(webhookKey(board.id, webhook.id));
    expect(item?.['secret']).toMatch(/^v1:k2:/);
    await card();
    await fanOut();
    const rotated = { ...engine, leaseKeys: keysOf({ current: 'k2', k2: K2 }) };
    await sendBatch({ engine: rotated, post, report: () => undefined }, batch());
    expect(posted.map((sent) => verifiedBy(webhook.secret, sent) !== null)).toEqual([true, true]);
    await card();
    await fanOut();
    const lost = { ...engine, leaseKeys: keysOf({ current: 'k3', k3: K1 }) };
    await sendBatch({ engine: lost, post, report: () => undefined }, batch());
    expect(posted).toHaveLength(2);
    world.deliveries.clear();
  });
});
