/**
 * Tokens of the leases that `card claim` took, one file each, so that the next command needs the lease's id only. They
 * are secrets: their owner alone may read them, and the verb that ends the lease removes them.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Io } from './io.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

function folder(io: Io): string {
  const state = io.env['XDG_STATE_HOME'] ?? join(io.home, '.local', 'state');
  return join(state, 'leaseboard', 'leases');
}

function fileOf(io: Io, lease: string): string {
  return join(folder(io), encodeURIComponent(lease));
}

export async function keepLease(io: Io, lease: string, token: string): Promise<void> {
  await mkdir(folder(io), { recursive: true, mode: OWNER_ONLY_FOLDER });
  await writeFile(fileOf(io, lease), token, { mode: OWNER_ONLY });
}

export async function keptLeaseToken(io: Io, lease: string): Promise<string | null> {
  return readFile(fileOf(io, lease), 'utf8').catch(() => null);
}

/** A token that stays behind opens nothing: its lease has ended. */
export async function forgetLease(io: Io, lease: string): Promise<void> {
  await rm(fileOf(io, lease), { force: true }).catch(() => {});
}
