/**
 * Signing in with an identity provider: OpenID Connect, Authorization Code with PKCE, in this browser alone. The
 * provider's answer is believed when it carries the state of this tab's own question, and its token the nonce; whether
 * the token is genuine, the API says, which checks its signature.
 */
import { CONFIG_PATH, type SignIn, type WebConfig } from '../../sign-in.ts';
import { perTab, readStored, writeStored } from './storage.ts';

/** Kept while the person is at the provider; the verifier is what makes a stolen code worthless. */
interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person was, filters included. */
  readonly back: string;
}

/** What the provider gave. The refresh token, where there is one, gets the next identity token. */
export interface Grant {
  readonly id_token: string;
  readonly refresh_token: string | null;
}

/** The provider was asked and said no, or said what nobody may believe: trying again helps nothing. */
export class Refused extends Error {}

const CALLBACK = '/sign-in';
const PENDING_KEY = 'leaseboard.sign-in';
const RANDOM_BYTES = 32;
const PATIENCE_MS = 10_000;
/** Statuses that answer the question; any other may have another answer in a minute. */
const NO: readonly number[] = [400, 401, 403];

let known: SignIn | null = null;

/** The provider of this installation; null for none. @throws Error when the board's own server does not answer. */
export async function findProvider(): Promise<SignIn | null> {
  if (known !== null) return known;
  const answer = await fetch(CONFIG_PATH, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`${CONFIG_PATH} answered ${answer.status}`);
  known = ((await answer.json()) as WebConfig).sign_in;
  return known;
}

/** Leaves for the provider. Nothing that proves anything is in the address that it is asked by. */
export async function leaveForProvider(provider: SignIn): Promise<void> {
  const { authorization } = await endpointsOf(provider);
  const { pathname, search } = window.location;
  const pending: Pending = { state: random(), nonce: random(), verifier: random(), back: pathname + search };
  writeStored(perTab, PENDING_KEY, JSON.stringify(pending));
  const question = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: callback(),
    scope: provider.scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await challengeOf(pending.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(question)) authorization.searchParams.set(name, value);
  window.location.assign(authorization);
}

/** What the provider sent the person back with. */
export interface Return {
  readonly answer: URLSearchParams;
  /** Null when this tab has asked no such question: somebody else made the address. */
  readonly pending: Pending | null;
}

/** Null when the address is no return. Good once: a second visit of the same address finds no question to it. */
export function takeReturn(): Return | null {
  const answer = new URLSearchParams(window.location.search);
  if (window.location.pathname !== CALLBACK || !answer.has('state')) return null;
  const kept = readStored(perTab, PENDING_KEY);
  writeStored(perTab, PENDING_KEY, null);
  const pending = kept === null ? null : (JSON.parse(kept) as Pending);
  return { answer, pending: pending?.state === answer.get('state') ? pending : null };
}

/** @throws Refused, or Error when the provider cannot be reached. */
export async function redeem({ answer, pending }: Return): Promise<Grant> {
  if (pending === null) {
    throw new Refused('This sign-in was not begun in this tab, or long ago. Sign in again.');
  }
  const error = answer.get('error');
  if (error !== null) throw new Refused(`The provider refused: ${answer.get('error_description') ?? error}`);
  const provider = await findProvider();
  if (provider === null) throw new Refused('This installation has no identity provider.');
  const grant = await askForToken(provider, {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: callback(),
    code_verifier: pending.verifier,
  });
  const claims = claimsOf(grant.id_token);
  if (claims['nonce'] !== pending.nonce) {
    throw new Refused('The provider’s token answers another sign-in than this one. Sign in again.');
  }
  return grant;
}

/** The next identity token of the same person. @throws Refused, or Error when the provider cannot be reached. */
export async function renew(grant: Grant): Promise<Grant> {
  const provider = await findProvider();
  if (provider === null || grant.refresh_token === null) throw new Refused('There is nothing to renew.');
  const next = await askForToken(provider, {
    grant_type: 'refresh_token',
    refresh_token: grant.refresh_token,
  });
  if (claimsOf(next.id_token)['sub'] !== claimsOf(grant.id_token)['sub']) {
    throw new Refused('The provider’s token is another person’s. Sign in again.');
  }
  // A provider that does not rotate them leaves the old one good.
  return { ...next, refresh_token: next.refresh_token ?? grant.refresh_token };
}

/** What the token says of itself: to go by, and no proof of anything. */
export function claimsOf(jwt: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = jwt.split('.');
  const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}

async function askForToken(provider: SignIn, question: Readonly<Record<string, string>>): Promise<Grant> {
  const { token } = await endpointsOf(provider);
  const body = new URLSearchParams({ ...question, client_id: provider.client_id });
  const { id_token, refresh_token } = await readJson(token, { method: 'POST', body });
  if (typeof id_token !== 'string') throw new Refused('The provider gave no identity token. Sign in again.');
  const { iss, aud } = claimsOf(id_token);
  if (iss !== provider.issuer || ![aud].flat().includes(provider.client_id)) {
    throw new Refused('The provider’s token is for another installation.');
  }
  return { id_token, refresh_token: typeof refresh_token === 'string' ? refresh_token : null };
}

interface Endpoints {
  readonly authorization: URL;
  readonly token: URL;
}

async function endpointsOf({ issuer, token_origin }: SignIn): Promise<Endpoints> {
  const found = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (found['issuer'] !== issuer)
    throw new Refused(`The provider calls itself ${String(found['issuer'])}, not ${issuer}.`);
  const authorization = new URL(String(found['authorization_endpoint']));
  const token = new URL(String(found['token_endpoint']));
  // The page's policy forbids the others, and the browser's own words for it would help nobody.
  if (![new URL(issuer).origin, token_origin].includes(token.origin)) {
    throw new Refused(`The provider gives tokens at ${token.origin}, which the deployer has to name.`);
  }
  if (!/^https?:$/.test(authorization.protocol))
    throw new Refused('The provider’s address is no web address.');
  return { authorization, token };
}

async function readJson(
  url: URL | string,
  init: RequestInit = {},
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(url, {
    ...init,
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok && !NO.includes(answer.status)) throw new Error(`The provider answered ${answer.status}.`);
  const body = (await answer.json()) as Record<string, unknown>;
  if (answer.ok) return body;
  throw new Refused(`The provider refused: ${String(body['error_description'] ?? body['error'])}`);
}

const callback = (): string => window.location.origin + CALLBACK;

function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
