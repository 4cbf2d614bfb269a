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
}

interface Provider {
  readonly server: Server;
  readonly issuer: string;
  readonly sign: (claims: JWTPayload, changes?: SignChanges) => Promise<string>;
}

async function startProvider(): Promise<Provider> {
  const own = await generateKeyPair('RS256', { extractable: true });
  const strange = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const server = createServer(({ url, headers: { host } }, response) => {
    const issuer = `http://${host}`;
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    const known = url === '/keys' ? { keys: [jwk] } : discovery;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(known));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = new TextEncoder().encode(JSON.stringify(jwk));
  return {
    server,
    issuer,
    sign: async (claims, { expiresAt = 300, stranger, symmetric } = {}) => {
      const now = Math.floor(http.world.clock.now() / 1_000);
      const jwt = new SignJWT({ iss: issuer, aud: 'leaseboard', sub: 'subject', ...claims })
        .setProtectedHeader({ alg: symmetric === true ? 'HS256' : 'RS256', kid: 'k1' })
        .setIssuedAt(now);
      if (expiresAt !== null) jwt.setExpirationTime(now + expiresAt);
      return jwt.sign(symmetric === true ? secret : stranger === true ? strange.privateKey : own.privateKey);
    },
  };
}
