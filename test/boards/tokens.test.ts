import { describe, expect, it } from 'vitest';
import { authenticate } from '../../shared/auth/authenticate.ts';
import { Cache } from '../../shared/cache.ts';
import { TOKEN_CACHE_MS } from '../../shared/policy.ts';
import { CreateTokenBody } from '../../shared/schemas/tokens.ts';
import type { TokenItem } from '../../shared/store/items.ts';
import { TOKENS_PK } from '../../shared/store/keys.ts';
import { createToken } from '../../shared/verbs/create-token.ts';
import { getMe } from '../../shared/verbs/get-me.ts';
import { installToken } from '../../shared/verbs/install-token.ts';
import { listTokens } from '../../shared/verbs/list-tokens.ts';
import { revokeToken } from '../../shared/verbs/revoke-token.ts';
import { createWorld } from '../support/world.ts';
import { makeBoard, refusal } from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;

/** Signs in on an instance that remembers nothing. */
/** Also waits for what is noted of the token beside the request. */
const signIn = async (token: string) => {
  const beside: Promise<unknown>[] = [];
  const tokens = new Cache<TokenItem>(TOKEN_CACHE_MS, world.clock.now);
  const caller = await authenticate(main, tokens, `Bearer ${token}`, (work) => void beside.push(work));
  await Promise.all(beside);
  return caller;
};

describe('creating a token', () => {
  it('makes one that opens with its scopes, board and agent, and is shown this once', async () => {
    const board = await makeBoard(world);
    const created = await createToken(main, admin, {
      name: 'drafter',
      scopes: ['worker'],
      board_id: board.slug,
      agent: 'drafter-7',
    });
    expect(created.token).toMatch(/^lb_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,128}$/);
    const caller = await signIn(created.token);
    expect(caller).toMatchObject({
      tokenName: 'drafter',
      scopes: ['worker'],
      boardId: board.id,
      agent: 'drafter-7',
    });
    expect(await getMe(main, caller)).toMatchObject({
      token_id: created.id,
      name: 'drafter',
      board_id: board.id,
      agent: 'drafter-7',
    });
    const secret = /^lb_[^_]+_(.+)$/.exec(created.token)?.[1] ?? '';
    const { items } = await main.store.query({ pk: { name: 'pk', value: TOKENS_PK }, consistent: true });
    expect(JSON.stringify(items)).not.toContain(secret);
    const { token: _token, last_used_at: _before, ...shown } = created;
    const listed = (await listTokens(main, admin, { limit: 100 })).items;
    expect(listed).toContainEqual(expect.objectContaining(shown));
  });

  it('refuses an unknown board, a past expiry, unknown scopes and an agent that is no name', async () => {
    const base = { name: 'x', scopes: ['worker' as const] };
    expect((await refusal(createToken(main, admin, { ...base, board_id: 'nope' }))).code).toBe('not_found');
    const past = new Date(world.clock.now()).toISOString();
    expect(await refusal(createToken(main, admin, { ...base, expires_at: past }))).toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ path: '/expires_at' }] },
    });
    for (const body of [
      { ...base, scopes: [] },
      { ...base, scopes: ['owner'] },
      { ...base, agent: 'a b' },
      { ...base, expires_at: '2030-01-01T00:00:00' },
      { ...base, secret: 'mine' },
    ]) {
      expect(CreateTokenBody.safeParse(body).success, JSON.stringify(body)).toBe(false);
    }
  });

  it('lets an admin of one board make tokens for that board only', async () => {
    const [own, other] = [await makeBoard(world), await makeBoard(world)];
    const bound = { ...admin, boardId: own.id };
    const base = { name: 'x', scopes: ['worker' as const] };
    expect((await refusal(createToken(main, bound, base))).code).toBe('forbidden');
    expect((await refusal(createToken(main, bound, { ...base, board_id: other.id }))).code).toBe('not_found');
    expect((await createToken(main, bound, { ...base, board_id: own.id })).board_id).toBe(own.id);
  });

  it('opens nothing once its expiry is past', async () => {
    const expires_at = new Date(world.clock.now() + 60_000).toISOString();
    const { token } = await createToken(main, admin, { name: 'brief', scopes: ['member'], expires_at });
    await signIn(token);
    world.clock.advance(60_000);
    expect((await refusal(signIn(token))).code).toBe('unauthenticated');
  });
});

describe('revoking a token', () => {
  it('closes it, takes it off the list, and leaves the others', async () => {
    const created = await createToken(main, admin, { name: 'a', scopes: ['worker'] });
    const other = await createToken(main, admin, { name: 'b', scopes: ['worker'] });
    await revokeToken(main, admin, { token_id: created.id });
    await revokeToken(main, admin, { token_id: created.id });
    expect((await refusal(signIn(created.token))).code).toBe('unauthenticated');
    await signIn(other.token);
    const ids = (await listTokens(main, admin, { limit: 100 })).items.map(({ id }) => id);
    expect(ids).toContain(other.id);
    expect(ids).not.toContain(created.id);
  });

  it('does not find what does not exist, nor a token of another board or of all', async () => {
    const [own, other] = [await makeBoard(world), await makeBoard(world)];
    const bound = { ...admin, boardId: own.id };
    const foreign = await createToken(main, admin, { name: 'f', scopes: ['worker'], board_id: other.id });
    const global = await createToken(main, admin, { name: 'g', scopes: ['worker'] });
    for (const id of [foreign.id, global.id, 'tok_missing', '#']) {
      expect((await refusal(revokeToken(main, bound, { token_id: id }))).code).toBe('not_found');
    }
    await signIn(foreign.token);
    await signIn(global.token);
    expect((await listTokens(main, bound, { limit: 100 })).items).toEqual([]);
  });
});

it('pages through the tokens once', async () => {
  const own = await createWorld();
  const made = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    made.add((await createToken(own.main, admin, { name: `t${count}`, scopes: ['worker'] })).id);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listTokens(own.main, admin, { limit: 2, ...(cursor === null ? {} : { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen).toHaveLength(made.size);
  expect(new Set(seen)).toEqual(made);
  expect((await refusal(listTokens(own.main, admin, { limit: 2, cursor: 'x' }))).code).toBe('invalid_cursor');
});

describe('installing a token', () => {
  const token = `lb_admin_${'s'.repeat(40)}`;
  const input = { token, name: 'admin', scopes: ['admin'] as const };

  it('makes it known, and writes nothing when repeated', async () => {
    await installToken(main, input);
    expect(await signIn(token)).toMatchObject({ tokenId: 'admin', scopes: ['admin'], boardId: null });
    world.meter.reset();
    await installToken(main, input);
    expect(world.meter.writeUnits).toBe(0);
  });

  it('replaces the secret of an earlier one of the same id, and takes a revocation back', async () => {
    await installToken(main, input);
    const next = `lb_admin_${'n'.repeat(40)}`;
    await installToken(main, { ...input, token: next });
    expect((await refusal(signIn(token))).code).toBe('unauthenticated');
    await revokeToken(main, admin, { token_id: 'tok_admin' });
    await installToken(main, { ...input, token: next });
    await signIn(next);
  });

  it('refuses a text that is no token without showing it', async () => {
    const secret = 'lb_admin_short';
    const install = installToken(main, { ...input, token: secret });
    await expect(install).rejects.toThrow(RangeError);
    await expect(install).rejects.not.toThrow(secret);
  });
});
