import { beforeAll, describe, expect, test } from 'vitest';
import { RATE_WINDOW_SECONDS } from '../../shared/auth/rate-limit.ts';
import { TOKEN_CACHE_MS } from '../../shared/policy.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const me = { path: '/v1/me' };

let http: HttpWorld;

beforeAll(async () => {
  http = await createHttpWorld();
});

async function createToken(more: Record<string, unknown> = {}): Promise<{ id: string; token: string }> {
  const body = { name: 'kept', scopes: ['worker'], ...more };
  const answer = await http.call({ method: 'POST', path: '/v1/tokens', body });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; token: string };
}

async function shown(id: string): Promise<Record<string, unknown>> {
  const { body } = await http.call({ path: '/v1/tokens' });
  return (body['items'] as Record<string, unknown>[]).find((token) => token['id'] === id) ?? {};
}

describe('a rotated token', () => {
  const rotate = async (id: string, body: object = {}) =>
    http.call({ method: 'POST', path: `/v1/tokens/${id}:rotate`, body });

  test('opens with the new secret at once, and with the old one until the grace period is over', async () => {
    const { id, token: old } = await createToken();
    expect((await http.call(me, old)).status).toBe(200);

    const { status, body } = await rotate(id, { grace_seconds: 3_600 });
    const renewed = String(body['token']);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id, name: 'kept', scopes: ['worker'] });
    expect(renewed).not.toBe(old);
    expect([(await http.call(me, renewed)).status, (await http.call(me, old)).status]).toEqual([200, 200]);
    http.world.clock.advance(HOUR_MS);
    expect([(await http.call(me, renewed)).status, (await http.call(me, old)).status]).toEqual([200, 401]);
  });

  test('is closed to the old secret at once with no grace, where it is not remembered', async () => {
    const { id, token: old } = await createToken();

    await rotate(id, { grace_seconds: 0 });

    expect((await http.call(me, old)).status).toBe(401);
  });

  test('of another board, revoked or unknown is not rotated', async () => {
    const { id } = await createToken();
    await http.call({ method: 'DELETE', path: `/v1/tokens/${id}` });
    const narrow = await http.token('narrow', { board_id: 'brd_00000000000000000000000000' });

    expect((await rotate(id)).status).toBe(409);
    expect((await rotate('tok_nobody')).status).toBe(404);
    const foreign = await http.call({ method: 'POST', path: '/v1/tokens/tok_admin:rotate' }, narrow);
    expect(foreign.status).toBe(404);
  });
});

describe('the last use of a token', () => {
  test('is its first of the day: the second is not written, that of the next day is', async () => {
    const { id, token } = await createToken();
    expect((await shown(id))['last_used_at']).toBeNull();

    await http.call(me, token);
    const first = (await shown(id))['last_used_at'];
    http.world.clock.advance(TOKEN_CACHE_MS);
    await http.call(me, token);
    expect((await shown(id))['last_used_at']).toBe(first);

    http.world.clock.advance(DAY_MS);
    await http.call(me, token);
    const next = (await shown(id))['last_used_at'];
    expect(Date.parse(String(next)) - Date.parse(String(first))).toBe(DAY_MS + TOKEN_CACHE_MS);
  });

  test('is not noted of a wrong secret', async () => {
    const { id, token } = await createToken();

    await http.call(me, `${token.slice(0, -4)}xxxx`);

    expect((await shown(id))['last_used_at']).toBeNull();
  });
});

describe('a token with a limit', () => {
  test('is told what is left of it, refused past it, and served again in the next minute', async () => {
    const { token } = await createToken({ requests_per_minute: 2 });
    const toNextWindow = () =>
      http.world.clock.advance(
        RATE_WINDOW_SECONDS * 1_000 - (http.world.clock.now() % (RATE_WINDOW_SECONDS * 1_000)),
      );
    toNextWindow();

    const first = await http.call(me, token);
    const second = await http.call(me, token);
    const third = await http.call(me, token);

    expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"token";q=2;w=60',
      ratelimit: '"token";r=1;t=60',
    });
    expect(third.headers).toMatchObject({ ratelimit: '"token";r=0;t=60', 'retry-after': '60' });
    expect(third.body).toMatchObject({ code: 'rate_limited', retry_after_seconds: 60 });
    toNextWindow();
    expect((await http.call(me, token)).status).toBe(200);
  });

  test('counts as one, by whichever of its secrets it comes and however a verb is spelled', async () => {
    const { id, token: old } = await createToken({ requests_per_minute: 3 });
    const { body } = await http.call({ method: 'POST', path: `/v1/tokens/${id}:rotate` });
    const renewed = String(body['token']);
    const claim = (spelling: string) => ({
      method: 'POST',
      path: `/v1/boards/none/columns/none${spelling}claim-next`,
    });

    const answers = [
      await http.call(me, old),
      await http.call(claim(':'), renewed),
      await http.call(claim('/'), old),
      await http.call(me, renewed),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 429]);
  });

  test('counts refused requests too: their schema is looked at after the limit', async () => {
    const { token } = await createToken({ requests_per_minute: 1 });
    const bad = { method: 'POST' as const, path: '/v1/boards/x/cards', body: { nonsense: true } };

    expect([(await http.call(bad, token)).status, (await http.call(bad, token)).status].at(-1)).toBe(429);
  });

  test('is the exception: others carry no such header and cost no write', async () => {
    const { token } = await createToken();
    await http.call(me, token);
    http.world.meter.reset();

    const { headers } = await http.call(me, token);

    expect(headers).not.toHaveProperty('ratelimit');
    expect(http.world.meter.of('update').calls).toBe(0);
  });
});
