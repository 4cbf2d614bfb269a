/**
 * Who is signed in. The token stays in this browser: it comes by the form or behind the `#` of the address that
 * `npm start` prints, is taken out of the address at once, and is sent in a header only.
 */
import { signal } from '@preact/signals';
import { LeaseboardClient } from '../../../client/client.ts';
import { isLeaseboardError } from '../../../client/errors.ts';
import type { Me, Scope } from '../../../client/types.ts';
import { setServerTime } from './clock.ts';
import { local, perTab, readStored, writeStored } from './storage.ts';

const KEY = 'leaseboard.token';
/** A person waits for an answer; beyond this they would rather be told. */
const RETRIES = 2;

export interface Session {
  readonly token: string;
  readonly client: LeaseboardClient;
  readonly me: Me;
}

export const session = signal<Session | null>(null);
/** Whether a kept token is still being tried. */
export const restoring = signal(true);
/** Why the last one ended, for the form. */
export const signedOutBecause = signal<string | null>(null);

export function clientFor(token: string): LeaseboardClient {
  return new LeaseboardClient({ url: window.location.origin, token, retries: RETRIES });
}

/** @throws LeaseboardError; the token is kept only once the server has known it. */
export async function signIn(token: string, keep: boolean): Promise<void> {
  const client = clientFor(token);
  const me = await client.system.me();
  setServerTime(me.server_time);
  writeStored(local, KEY, keep ? token : null);
  writeStored(perTab, KEY, token);
  signedOutBecause.value = null;
  session.value = { token, client, me };
}

export function signOut(because: string | null = null): void {
  writeStored(local, KEY, null);
  writeStored(perTab, KEY, null);
  signedOutBecause.value = because;
  session.value = null;
}

/** A call that learns that the token is no longer good ends the session; true when it was that. */
export function endedBy(error: unknown): boolean {
  if (!isLeaseboardError(error, 'unauthenticated')) return false;
  signOut('Your token has expired or was revoked. Sign in with another one.');
  return true;
}

export async function restoreSession(): Promise<void> {
  const given = takeTokenFromAddress();
  const kept = given ?? readStored(perTab, KEY) ?? readStored(local, KEY);
  try {
    if (kept !== null) await signIn(kept, given === null && readStored(local, KEY) === kept);
  } catch (error) {
    signedOutBecause.value = isLeaseboardError(error, 'unauthenticated')
      ? 'The token of this browser is no longer good. Sign in with another one.'
      : `The server could not be reached: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    restoring.value = false;
  }
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
  if (session.value === null) throw new Error('Nobody is signed in');
  return session.value.client;
}
