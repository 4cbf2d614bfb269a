import { beforeAll, describe, expect, test } from 'vitest';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

let http: HttpWorld;
let board: string;

beforeAll(async () => {
  http = await createHttpWorld();
  board = String(
    (await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Hooks' } })).body['id'],
  );
});

const URL = 'https://hooks.example.com/leaseboard';
const create = async (body: object = { url: URL }) =>
  http.call({ method: 'POST', path: `/v1/boards/${board}/webhooks`, body });

describe('webhooks over HTTP', () => {
  test('live from their creation to their end', async () => {
    const created = await create({ url: URL, types: ['card.created'], description: 'CI' });
    expect(created.status).toBe(201);
    const { secret, id, ...shown } = created.body;
    expect(secret).toMatch(/^whsec_/);
    const path = `/v1/boards/${board}/webhooks/${String(id)}`;
    expect((await http.call({ path })).body).toEqual({ id, ...shown });
    expect((await http.call({ path: `/v1/boards/${board}/webhooks` })).body['items']).toContainEqual({
      id,
      ...shown,
    });

    const patched = await http.call({ method: 'PATCH', path, body: { types: null, enabled: false } });
    expect(patched.body).toMatchObject({ types: null, enabled: false, disabled_reason: 'by_hand' });
    expect((await http.call({ method: 'POST', path: `${path}:enable` })).body).toMatchObject({
      enabled: true,
    });
    const rotated = await http.call({
      method: 'POST',
      path: `${path}:rotate-secret`,
      body: { grace_seconds: 60 },
    });
    expect(rotated.status).toBe(200);
    expect(rotated.body['secret']).not.toBe(secret);
    const again = await http.call({ method: 'POST', path: `${path}:rotate-secret` });
    expect([again.status, again.body['code']]).toEqual([409, 'conflict']);

    const since = new Date(0).toISOString();
    const recovering = await http.call({ method: 'POST', path: `${path}:recover`, body: { since } });
    expect(recovering.body['recovering_since']).toBe(since);
    const tested = await http.call({ method: 'POST', path: `${path}:test` });
    expect([tested.status, tested.body['status'], tested.body['type']]).toEqual([
      200,
      'pending',
      'webhook.test',
    ]);
    const { body } = await http.call({ path: `${path}/deliveries?status=pending` });
    expect(body['items']).toMatchObject([{ id: tested.body['id'] }]);
    const redelivered = await http.call({
      method: 'POST',
      path: `/v1/deliveries/${String(tested.body['id'])}:redeliver`,
    });
    expect([redelivered.status, redelivered.body['id']]).toEqual([200, tested.body['id']]);

    expect((await http.call({ method: 'DELETE', path })).status).toBe(204);
    expect((await http.call({ path })).status).toBe(404);
  });

  test('are refused with the field that is wrong', async () => {
    for (const [body, field] of [
      [{ url: 'http://hooks.example.com/' }, '/url'],
      [{ url: 'https://169.254.169.254/latest' }, '/url'],
      [{ url: 'https://[::ffff:10.0.0.1]/' }, '/url'],
      [{ url: URL, types: ['card.exploded'] }, '/types/0'],
      [{ url: URL, since: '2026-01-01' }, '/since'],
      [{ url: URL, secret: 'mine' }, '/secret'],
      [{}, '/url'],
    ] as const) {
      const { status, body: problem } = await create(body);
      expect([status, problem['code']]).toEqual([422, 'validation_failed']);
      expect(problem['errors']).toMatchObject([{ path: field }]);
    }
  });

  test('are an admin’s alone', async () => {
    const member = await http.token('member', { scopes: ['member'] });
    const { id } = (await create()).body;
    for (const [method, path] of [
      ['GET', `/v1/boards/${board}/webhooks`],
      ['POST', `/v1/boards/${board}/webhooks`],
      ['GET', `/v1/boards/${board}/webhooks/${String(id)}/deliveries`],
      ['POST', `/v1/boards/${board}/webhooks/${String(id)}:rotate-secret`],
      ['POST', '/v1/deliveries/dlv_1:redeliver'],
    ] as const)
      expect((await http.call({ method, path }, member)).status).toBe(403);
  });

  test('never have their secret in a line of the log', async () => {
    const { secret } = (await create()).body;
    expect(http.lines.join('\n')).not.toContain(String(secret).slice(6, 20));
  });

  test('take no idempotency key: the answer with the secret is given once', async () => {
    const request = {
      method: 'POST',
      path: `/v1/boards/${board}/webhooks`,
      body: { url: URL },
      headers: { 'idempotency-key': 'k1' },
    };
    const [first, second] = [await http.call(request), await http.call(request)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body['id']).not.toBe(second.body['id']);
  });
});
