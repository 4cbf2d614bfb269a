/**
 * An identity provider on this machine: discovery, a page with one button, tokens for codes. It holds to the protocol
 * (PKCE, a code once, a refresh token once, the address to return to), and does wrong what a test asks it to.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const CLIENT_ID = 'leaseboard-board';

export interface Behaviour {
  /** Seconds that an identity token is good. */
  life: number;
  groups: readonly string[];
  /** Whether the person may come back later without being asked. */
  refresh: boolean;
  /** What the token answers instead of the question's own nonce. */
  nonce: string | null;
  /** What the code is refused with. */
  refusal: string | null;
}

export const HONEST: Behaviour = {
  life: 600,
  groups: ['supervisors'],
  refresh: true,
  nonce: null,
  refusal: null,
};

export interface Issuer {
  readonly url: string;
  readonly behaviour: Behaviour;
  /** Query of each question that a browser came with. */
  readonly questions: readonly URLSearchParams[];
  /** Body of each request for tokens, and whether it got one. */
  readonly exchanges: readonly { readonly body: URLSearchParams; readonly ok: boolean }[];
  readonly stop: () => void;
}

interface Asked {
  readonly nonce: string;
  readonly challenge: string;
  readonly returnTo: string;
}

type Sign = (nonce: string | null) => Promise<string>;

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  const behaviour = { ...HONEST };
  const sign: Sign = async (nonce) => {
    const now = Math.floor(Date.now() / 1_000);
    const who = { email: 'ada@example.com', groups: behaviour.groups };
    return new SignJWT({ ...who, ...(nonce === null ? {} : { nonce: behaviour.nonce ?? nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(url)
      .setAudience(CLIENT_ID)
      .setSubject('ada')
      .setIssuedAt(now)
      .setExpirationTime(now + behaviour.life)
      .sign(privateKey);
  };
  const tokens = tokenDesk(behaviour, sign);
  const questions: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json(response, {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/keys`,
        });
      case '/keys':
        return json(response, { keys: [jwk] });
      case '/token':
        return void tokens.exchange(request, response);
      case '/authorize':
        questions.push(searchParams);
        return page(response, tokens.codeFor(searchParams));
      default:
        return void response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, behaviour, questions, exchanges: tokens.exchanges, stop: () => void server.close() };
}

/** Gives a code to a person's question, and tokens to whoever can prove that the question was theirs. */
function tokenDesk(behaviour: Behaviour, sign: Sign) {
  const codes = new Map<string, Asked>();
  const refreshable = new Set<string>();
  const exchanges: { body: URLSearchParams; ok: boolean }[] = [];
  const text = (): string => randomBytes(24).toString('base64url');
  const codeFor = (question: URLSearchParams): string => {
    const returnTo = question.get('redirect_uri') ?? '';
    const code = text();
    codes.set(code, {
      nonce: question.get('nonce') ?? '',
      challenge:
        question.get('code_challenge_method') === 'S256' ? (question.get('code_challenge') ?? '') : '',
      returnTo,
    });
    return `${returnTo}?${new URLSearchParams({ code, state: question.get('state') ?? '' }).toString()}`;
  };
  /** The nonce to answer, null for a renewal; undefined for whoever proves nothing. */
  const provenBy = (body: URLSearchParams): string | null | undefined => {
    if (behaviour.refusal !== null || body.get('client_id') !== CLIENT_ID) return undefined;
    if (body.get('grant_type') === 'refresh_token') {
      return refreshable.delete(body.get('refresh_token') ?? '') ? null : undefined;
    }
    const asked = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const digest = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    return asked?.challenge === digest && asked.returnTo === body.get('redirect_uri')
      ? asked.nonce
      : undefined;
  };
  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const nonce = provenBy(body);
    exchanges.push({ body, ok: nonce !== undefined });
    if (nonce === undefined) {
      response.statusCode = 400;
      return json(response, { error: 'invalid_grant', error_description: behaviour.refusal ?? 'Not proven' });
    }
    const refresh_token = text();
    if (behaviour.refresh) refreshable.add(refresh_token);
    json(response, {
      token_type: 'Bearer',
      id_token: await sign(nonce),
      ...(behaviour.refresh ? { refresh_token } : {}),
    });
  };
  return { codeFor, exchange, exchanges };
}

function json(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

/** Where a person would give their password. */
function page(response: ServerResponse, back: string): void {
  response
    .setHeader('content-type', 'text/html')
    .end(
      `<!doctype html><title>Example</title><a href="${back.replaceAll('&', '&amp;')}">Continue as Ada</a>`,
    );
}
