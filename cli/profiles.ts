/**
 * The file of profiles: installations by name, each with its address, its token, and what commands take when they
 * name nothing else. Readable by its owner alone, since it holds tokens.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Io } from './io.ts';
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

/** @throws UsageError for a file that is no JSON. */
export async function readProfiles(io: Io): Promise<Profiles> {
  const file = profilesFile(io);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return NONE;
  try {
    return { ...NONE, ...(JSON.parse(text) as Partial<Profiles>) };
  } catch {
    throw new UsageError(`${file} is no JSON. Mend it, or delete it and run \`leaseboard profile set\`.`);
  }
}

/** Whole or not at all: a write that is cut short leaves the file as it was. */
export async function writeProfiles(io: Io, profiles: Profiles): Promise<void> {
  const file = profilesFile(io);
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: OWNER_ONLY });
  await rename(draft, file);
}
