/**
 * Who is signed in. A token of the API comes by the form or behind the `#` of the address that `npm start` prints, and
 * is taken out of the address at once; a person's comes from their identity provider. Either stays in this browser, and
 * is sent in a header only.
 */
import { signal } from '@preact/signals';
import { LeaseboardClient } from '../../../client/client.ts';
import { isLeaseboardError, type LeaseboardError } from '../../../client/errors.ts';
import { PLATFORM } from '../../../client/platform.ts';
import type { Me, Scope } from '../../../client/types.ts';
import { checkServerTime, setServerTime } from './clock.ts';
import { dropDrafts } from './draft.ts';
import { redeem, Refused, takeReturn, type Grant, type Return } from './oidc.ts';
import { go } from './router.tsx';
import { local, perTab, readStored, writeStored } from './storage.ts';
import { fixedToken, renewedToken, type TokenSource } from './token-source.ts';

const KEY = 'leaseboard.token';
/** Of this tab only: a provider that takes each refresh token once would take two tabs for a thief. */
const GRANT_KEY = 'leaseboard.grant';
/** A person waits for an answer; beyond this they would rather be told. */
const RETRIES = 2;

export interface Session {
  readonly client: LeaseboardClient;
  readonly me: Me;
  readonly send: typeof fetch;
}

export const session = signal<Session | null>(null);
/** Whether a kept token is still being tried. */
export const restoring = signal(true);
/** Why the last one ended, for the form. */
export const signedOutBecause = signal<string | null>(null);

/** @throws LeaseboardError; the token is kept only once the server has known it. */
export async function signIn(token: string, keep: boolean): Promise<void> {
  const opened = await open(fixedToken(token));
  forget();
  writeStored(local, KEY, keep ? token : null);
  writeStored(perTab, KEY, token);
  enter(opened);
}

/** @throws LeaseboardError, `forbidden` for a person in no group that has a scope here. */
async function signInPerson(grant: Grant): Promise<void> {
  const keep = (next: Grant): void => writeStored(perTab, GRANT_KEY, JSON.stringify(next));
  forget();
  // Kept at once: when the server cannot be reached, loading the page again is enough.
  keep(grant);
  enter(await open(renewedToken(grant, keep)));
}

async function open(token: TokenSource): Promise<Session> {
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${await token()}`);
    const answer = await fetch(input, { ...init, headers });
    checkServerTime(answer.headers.get('date'));
    return answer;
  };
  const client = new LeaseboardClient({
    url: window.location.origin,
    token: '',
    retries: RETRIES,
    platform: { ...PLATFORM, fetch: send },
  });
  const me = await client.system.me();
  return { client, me, send };
}

function enter(opened: Session): void {
  setServerTime(opened.me.server_time);
  signedOutBecause.value = null;
  session.value = opened;
}

function forget(): void {
  writeStored(local, KEY, null);
  writeStored(perTab, KEY, null);
  writeStored(perTab, GRANT_KEY, null);
}

/** @param because Null when it is the person's own wish. */
export function signOut(because: string | null = null): void {
  forget();
  if (because === null) dropDrafts();
  signedOutBecause.value = because;
  session.value = null;
}

/** A call that learns that the token is no longer good ends the session; true when it was that. */
export function endedBy(error: unknown): boolean {
  if (!isLeaseboardError(error, 'unauthenticated')) return false;
  signOut(
    readStored(perTab, GRANT_KEY) === null
      ? 'Your token has expired or was revoked. Sign in with another one.'
      : 'Your session has ended. Sign in again: you will be back where you are.',
  );
  return true;
}

export async function restoreSession(): Promise<void> {
  try {
    await restore(takeReturnFromAddress());
  } catch (error) {
    signedOutBecause.value = whyNot(error);
    if (error instanceof Refused || answered(error)) writeStored(perTab, GRANT_KEY, null);
  } finally {
    restoring.value = false;
  }
}

/** An address that somebody else made ends no session: it is looked at last. */
async function restore(returned: Return | null): Promise<void> {
  if (returned !== null && returned.pending !== null) return signInPerson(await redeem(returned));
  const given = takeTokenFromAddress();
  const grant = given === null ? readStored(perTab, GRANT_KEY) : null;
  if (grant !== null) return signInPerson(JSON.parse(grant) as Grant);
  const kept = given ?? readStored(perTab, KEY) ?? readStored(local, KEY);
  if (kept !== null) return signIn(kept, given === null && readStored(local, KEY) === kept);
  if (returned !== null) await redeem(returned);
}

function whyNot(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (isLeaseboardError(error, 'unauthenticated')) {
    return readStored(perTab, GRANT_KEY) === null
      ? 'The token of this browser is no longer good. Sign in with another one.'
      : 'Your session has ended. Sign in again.';
  }
  if (answered(error)) return error.message;
  return `The server could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}

/** The server's own words, which say what to do. */
function answered(error: unknown): error is LeaseboardError {
  return isLeaseboardError(error) && error.status > 0 && error.status < 500;
}

/** The code leaves the address, and the person is where they were. */
function takeReturnFromAddress(): Return | null {
  const returned = takeReturn();
  if (returned === null) return null;
  const back = returned.pending?.back ?? '/';
  window.history.replaceState(null, '', '/');
  // An address that begins so would be another server's.
  go(back.startsWith('//') ? '/' : back, true);
  return returned;
}

function takeTokenFromAddress(): string | null {
  const match = /^#token=(.+)$/.exec(window.location.hash);
  if (match?.[1] === undefined) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return decodeURIComponent(match[1]);
}

export function may(scope: Scope): boolean {
  const scopes = session.value?.me.scopes ?? [];
  if (scopes.includes('admin')) return true;
  if (scope === 'member') return scopes.includes('member');
  return scope === 'worker';
}

/** The client of a page that is only shown to someone signed in. */
export function api(): LeaseboardClient {
  return current().client;
}

/** What the client has no method for, sent as whoever is signed in. */
export const send: typeof fetch = async (input, init) => current().send(input, init);

function current(): Session {
  if (session.value === null) throw new Error('Nobody is signed in');
  return session.value;
}
