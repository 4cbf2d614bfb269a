/** Who calls, by what they prove it: roles that AWS vouches for, and people whom an identity provider vouches for. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oidcPeople } from '../../shared/auth/oidc.ts';
import { TOKEN_CACHE_MS } from '../../shared/policy.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';
import { gatewayEvent } from './support/gateway-event.ts';

const ROLE = 'arn:aws:iam::111122223333:role/fleet/Drafter';
const SESSION = 'arn:aws:sts::111122223333:assumed-role/Drafter/lambda-7';

let http: HttpWorld;
let provider: Provider;

beforeAll(async () => {
  provider = await startProvider();
  const people = oidcPeople({
    issuer: provider.issuer,
    audience: 'leaseboard',
    groups_claim: 'groups',
    group_scopes: { editors: 'member', owners: 'admin' },
  });
  http = await createHttpWorld({ people });
});

afterAll(() => void provider.server.close());

/** A request as the gateway hands it on once its IAM authorizer has checked the signature. */
async function signed(userArn: string | null, path = '/aws/v1/me', headers: Record<string, string> = {}) {
  const event = gatewayEvent({ path, headers });
  const authorizer = userArn === null ? {} : { authorizer: { iam: { userArn } } };
  const requestContext = { ...event.requestContext, ...authorizer };
  const { statusCode, body = '{}' } = await http.handlers.api({ ...event, requestContext });
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
}

describe('a role of IAM', () => {
  const register = { method: 'POST', path: '/v1/roles' };

  test('is the agent that an admin has registered it as, with those scopes and no others', async () => {
    const made = await http.call({
      ...register,
      body: { role_arn: ROLE, scopes: ['worker'], agent: 'drafter' },
    });
    const me = await signed(SESSION);
    const tokens = await signed(SESSION, '/aws/v1/tokens');

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Drafter', role_arn: ROLE, agent: 'drafter' });
    expect(made.body).not.toHaveProperty('token');
    expect(me.body).toMatchObject({ name: 'Drafter', scopes: ['worker'], agent: 'drafter' });
    expect(tokens.status).toBe(403);
  });

  test.each([
    ['another role', 'arn:aws:sts::111122223333:assumed-role/Stranger/s'],
    ['a role of the same name in another account', 'arn:aws:sts::999999999999:assumed-role/Drafter/s'],
    ['a user', 'arn:aws:iam::111122223333:user/Drafter'],
    ['a session that is named like a role', 'arn:aws:sts::111122223333:assumed-role/Stranger/Drafter'],
    ['nothing that is an ARN', 'Drafter'],
  ])('is not taken for %s', async (_, arn) => {
    const { status, body } = await signed(arn);

    expect(status).toBe(401);
    expect(body['code']).toBe('unauthenticated');
  });

  test('is not believed of a request that the gateway has not checked', async () => {
    expect((await signed(null)).status).toBe(404);
    expect((await signed(null, '/v1/me', { 'x-amz-user-arn': SESSION })).status).toBe(401);
  });

  test('has no secret that would open anything: not even an empty one', async () => {
    const listed = (await http.call({ path: '/v1/tokens' })).body['items'] as {
      id: string;
      role_arn: unknown;
    }[];
    const id = listed.find((token) => token.role_arn === ROLE)?.id.replace('tok_', '') ?? '';

    for (const secret of ['', 'x'.repeat(40), 'undefined'.padEnd(40, '_')]) {
      expect((await http.call({ path: '/v1/me' }, `lb_${id}_${secret}`)).status).toBe(401);
    }
    expect((await http.call({ method: 'POST', path: `/v1/tokens/tok_${id}:rotate` })).status).toBe(409);
  });

  test('is refused once it is revoked, as a token is', async () => {
    const session = 'arn:aws:sts::111122223333:assumed-role/Brief/s';
    const role_arn = 'arn:aws:iam::111122223333:role/Brief';
    const { body } = await http.call({ ...register, body: { role_arn, scopes: ['worker'] } });
    expect((await signed(session)).status).toBe(200);

    await http.call({ method: 'DELETE', path: `/v1/tokens/${String(body['id'])}` });
    http.world.clock.advance(TOKEN_CACHE_MS);

    expect((await signed(session)).status).toBe(401);
  });

  test('of the whole installation, or of another board, is no board admin’s to register anew', async () => {
    const { body: board } = await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Own' } });
    const own = await http.token('owner', { board_id: String(board['id']) });
    const registered = (name: string, token?: string) => {
      const role_arn = `arn:aws:iam::111122223333:role/${name}`;
      const body = {
        role_arn,
        scopes: ['worker'],
        ...(token === undefined ? {} : { board_id: board['id'] }),
      };
      return http.call({ ...register, body }, token);
    };
    await registered('Wide');

    const taken = await registered('Wide', own);
    const made = [await registered('Narrow', own), await registered('Narrow', own)];

    expect([taken.status, taken.body['code']]).toEqual([409, 'conflict']);
    expect((await signed('arn:aws:sts::111122223333:assumed-role/Wide/s')).body['board_id']).toBeNull();
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
  });

  test('must be named by its ARN', async () => {
    const { status, body } = await http.call({
      ...register,
      body: { role_arn: 'arn:aws:iam::1:user/x', scopes: ['worker'] },
    });

    expect(status).toBe(422);
    expect(body['errors']).toMatchObject([{ path: '/role_arn' }]);
  });
});

describe('a person of an identity provider', () => {
  const bearer = async (jwt: Promise<string> | string) =>
    http.call({ path: '/v1/me', headers: { authorization: `Bearer ${await jwt}` } }, null);

  test('has the widest scope of their groups, and their own name', async () => {
    const editor = await bearer(provider.sign({ groups: ['editors', 'others'], email: 'ada@example.com' }));
    const owner = await bearer(provider.sign({ groups: ['editors', 'owners'] }));

    expect(editor.body).toMatchObject({ name: 'ada@example.com', scopes: ['member'], board_id: null });
    expect(owner.body).toMatchObject({ name: 'subject', scopes: ['admin'] });
  });

  test('is told which groups there are when theirs have no scope', async () => {
    for (const groups of [[], ['others'], 'owners', ['__proto__'], undefined]) {
      const { status, body } = await bearer(provider.sign({ groups }));

      expect(status).toBe(403);
      expect(body['detail']).toContain('editors, owners');
    }
  });

  test.each<[string, JWTPayload, SignChanges?]>([
    ['that is over', {}, { expiresAt: -60 }],
    ['without an end', {}, { expiresAt: null }],
    ['that is for another audience', { aud: 'another' }],
    ['of another issuer', { iss: 'https://another.example' }],
    ['that is signed with another key', {}, { stranger: true }],
    ['that is signed with the public key as a secret', {}, { symmetric: true }],
  ])('is not known by a token %s', async (_, claims, changes = {}) => {
    const { status, body } = await bearer(provider.sign({ groups: ['owners'], ...claims }, changes));

    expect(status).toBe(401);
    expect(body['code']).toBe('unauthenticated');
  });

  test('is not known by a token that nobody signed, or that was changed', async () => {
    const good = await provider.sign({ groups: ['editors'] });
    const [head = '', , mark = ''] = good.split('.');
    const forged = Buffer.from(JSON.stringify({ sub: 'x', groups: ['owners'] })).toString('base64url');
    const none = new UnsecuredJWT({ groups: ['owners'] }).setSubject('x').encode();

    for (const jwt of [`${head}.${forged}.${mark}`, `${none}x`]) expect((await bearer(jwt)).status).toBe(401);
  });

  test('is not known by keys that the token itself brings or points to', async () => {
    const forged = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(forged.publicKey)), alg: 'RS256' };
    const asked = provider.asked();

    for (const header of [
      { jwk },
      { jku: `${provider.issuer}/stolen` },
      { x5u: `${provider.issuer}/stolen` },
    ]) {
      const signed = provider.sign({ groups: ['owners'] }, { header, key: forged.privateKey });
      expect((await bearer(signed)).status).toBe(401);
    }
    expect(provider.asked()).toBe(asked);
  });

  test('is not known by keys under a name that nobody has, however often they are tried, and costs the issuer nothing', async () => {
    await bearer(provider.sign({ groups: ['owners'] }));
    const asked = provider.asked();

    for (const kid of ['k2', '../keys', 'k1\u0000', '__proto__', '']) {
      const signed = provider.sign({ groups: ['owners'] }, { stranger: true, header: { kid } });
      expect((await bearer(signed)).status).toBe(401);
    }
    expect(provider.asked()).toBe(asked);
  });

  test('must have a name of the issuer’s, and is shown by no address that the issuer has not checked', async () => {
    for (const sub of ['', 7, null, { admin: true }]) {
      const claims = { groups: ['owners'], sub } as unknown as JWTPayload;
      expect((await bearer(provider.sign(claims))).status).toBe(401);
    }
    for (const email_verified of [false, 'false']) {
      const claims = { groups: ['owners'], email: 'boss@example.com', email_verified };
      expect((await bearer(provider.sign(claims))).body['name']).toBe('subject');
    }
  });

  test('is told to come again while the issuer does not answer, and the issuer is asked once in that time', async () => {
    const own = await startProvider();
    own.answersWith(500);
    const settings = { issuer: own.issuer, audience: 'leaseboard', groups_claim: 'groups' };
    const people = oidcPeople({ ...settings, group_scopes: { owners: 'admin' } });
    const jwt = await own.sign({ groups: ['owners'] });
    const now = http.world.clock.now();
    const refusal = { code: 'throttled', extras: { retry_after_seconds: 5 } };

    await expect(people.callerOf(jwt, now)).rejects.toMatchObject(refusal);
    await expect(people.callerOf(jwt, now + 4_999)).rejects.toMatchObject(refusal);
    expect(own.asked()).toBe(1);
    own.answersWith(200);
    expect(await people.callerOf(jwt, now + 5_000)).toMatchObject({ scopes: ['admin'] });
    own.server.close();
  });

  test('is nobody where the installation has no provider', async () => {
    const plain = await createHttpWorld({ table: http.world.table });
    const authorization = `Bearer ${await provider.sign({ groups: ['owners'] })}`;

    expect((await plain.call({ path: '/v1/me', headers: { authorization } }, null)).status).toBe(401);
  });
});

interface SignChanges {
  /** Seconds from now; null for none. */
  readonly expiresAt?: number | null;
  readonly stranger?: true;
  readonly symmetric?: true;
  /** Beside `alg` and `kid`. */
  readonly header?: Record<string, unknown>;
  /** Signs in place of the provider's own. */
  readonly key?: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
}

interface Provider {
  readonly server: Server;
  readonly issuer: string;
  /** Requests so far. */
  readonly asked: () => number;
  readonly answersWith: (status: number) => void;
  readonly sign: (claims: JWTPayload, changes?: SignChanges) => Promise<string>;
}

async function startProvider(): Promise<Provider> {
  const own = await generateKeyPair('RS256', { extractable: true });
  const strange = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  let [asked, status] = [0, 200];
  const server = createServer(({ url, headers: { host } }, response) => {
    asked += 1;
    const issuer = `http://${host}`;
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    const known = url === '/keys' ? { keys: [jwk] } : discovery;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(known));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = new TextEncoder().encode(JSON.stringify(jwk));
  return {
    server,
    issuer,
    asked: () => asked,
    answersWith: (next) => void (status = next),
    sign: async (claims, { expiresAt = 300, stranger, symmetric, header, key } = {}) => {
      const now = Math.floor(http.world.clock.now() / 1_000);
      const jwt = new SignJWT({ iss: issuer, aud: 'leaseboard', sub: 'subject', ...claims })
        .setProtectedHeader({ alg: symmetric === true ? 'HS256' : 'RS256', kid: 'k1', ...header })
        .setIssuedAt(now);
      if (expiresAt !== null) jwt.setExpirationTime(now + expiresAt);
      return jwt.sign(key ?? (symmetric === true ? secret : (stranger === true ? strange : own).privateKey));
    },
  };
}
