/**
 * The file of profiles: installations by name, each with its address, its token, and what commands take when they
 * name nothing else. Readable by its owner alone, since it holds tokens.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Io } from './io.ts';
import { isRecord } from './text.ts';
import { isTexts, jsonIn, readTextIfThere, reasonOf } from './text-file.ts';
import { UsageError } from './usage-error.ts';

export interface Profile {
  readonly url?: string;
  readonly token?: string;
  readonly board?: string;
  readonly column?: string;
  readonly agent?: string;
}

export interface Profiles {
  /** Name of the profile that is taken when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { current: null, profiles: {} };
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

export function profilesFile(io: Io): string {
  const config = io.env['XDG_CONFIG_HOME'] ?? join(io.home, '.config');
  return io.env['LEASEBOARD_CONFIG'] ?? join(config, 'leaseboard', 'profiles.json');
}

/** @throws UsageError for a file that holds something else. */
export async function readProfiles(io: Io): Promise<Profiles> {
  const file = profilesFile(io);
  const text = await readTextIfThere(file);
  if (text === null) return NONE;
  const kept = jsonIn(text);
  if (isKept(kept)) return { ...NONE, ...kept };
  throw new UsageError(
    `${file} holds no profiles. Mend it, or delete it and run \`leaseboard profile set\`.`,
  );
}

/** Names are free, and some of them every object has. */
export function profileNamed(profiles: Profiles['profiles'], name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

function isKept(value: unknown): value is Partial<Profiles> {
  if (!isRecord(value)) return false;
  const { current = null, profiles = {} } = value;
  const named = current === null || typeof current === 'string';
  return named && isRecord(profiles) && Object.values(profiles).every(isTexts);
}

/**
 * Whole or not at all: a write that is cut short leaves the file as it was.
 * @throws UsageError where nothing can be written
 */
export async function writeProfiles(io: Io, profiles: Profiles): Promise<void> {
  const file = profilesFile(io);
  await replace(file, profiles).catch((error: unknown) => {
    throw new UsageError(
      `${file} cannot be written: ${reasonOf(error)}. LEASEBOARD_CONFIG may name another file.`,
    );
  });
}

async function replace(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
  await rename(draft, file);
}
