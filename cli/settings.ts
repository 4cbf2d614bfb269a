/**
 * Which installation, with which token: flags win over the environment, the environment over the profile. A folder
 * may name a profile, a board and a column in `.leaseboard.json`, but no address: a cloned repository must not be
 * able to have a token sent somewhere else.
 */
import { join } from 'node:path';
import type { Io } from './io.ts';
import { profileNamed, readProfiles, type Profile } from './profiles.ts';
import { isTexts, jsonIn, readTextFile, readTextIfThere } from './text-file.ts';
import { UsageError } from './usage-error.ts';

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly profile?: string | undefined;
  readonly board?: string;
  readonly agent?: string;
  readonly timeout?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** A value, and where it was found. */
export interface Found {
  readonly value: string;
  readonly from: string;
}

export interface Settings {
  readonly url: Found;
  readonly token: Found | null;
  readonly board: Found | null;
  readonly column: Found | null;
  readonly agent: Found | null;
}

/** Where `npm start` listens unless told otherwise. */
const LOCAL_URL = 'http://127.0.0.1:8787';
/** Where `npm start` keeps its admin token. */
const LOCAL_TOKEN_FILE = '.leaseboard/admin-token';
const PROJECT_FILE = '.leaseboard.json';

/** @throws UsageError for a profile that is not there, or a file that cannot be read. */
export async function readSettings(io: Io, flags: GlobalFlags): Promise<Settings> {
  const project = await readProject(io);
  const { name, profile } = await chosenProfile(io, flags, project);
  const fromEnv = (key: string): Found | null => found(io.env[key], key);
  const fromProfile = (key: keyof Profile): Found | null => found(profile[key], `profile ${name}`);
  const url = addressOf(
    found(flags.url, '--url') ??
      fromEnv('LEASEBOARD_URL') ??
      fromProfile('url') ?? { value: LOCAL_URL, from: 'default' },
  );
  return {
    url,
    token:
      (await givenToken(io, flags)) ??
      fromEnv('LEASEBOARD_TOKEN') ??
      (isFor(profile, url) ? fromProfile('token') : null) ??
      (await localToken(io, url.value)),
    board:
      found(flags.board, '--board') ??
      fromEnv('LEASEBOARD_BOARD') ??
      found(project.board, PROJECT_FILE) ??
      fromProfile('board'),
    column: fromEnv('LEASEBOARD_COLUMN') ?? found(project.column, PROJECT_FILE) ?? fromProfile('column'),
    agent: found(flags.agent, '--agent') ?? fromEnv('LEASEBOARD_AGENT') ?? fromProfile('agent'),
  };
}

function found(value: string | undefined, from: string): Found | null {
  return value === undefined || value === '' ? null : { value, from };
}

/** Without slashes at its end, since paths are put behind it. */
function addressOf({ value, from }: Found): Found {
  if (/^https?:\/\/[^\s?#@]+$/.test(value) && URL.canParse(value)) {
    return { value: withoutSlashes(value), from };
  }
  throw new UsageError(`"${value}" (${from}) is no address such as https://YOUR-API.`);
}

function withoutSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}

/** A profile's token is for its own address, and not shown to another one that is named this once. */
function isFor({ url }: Profile, { value }: Found): boolean {
  return url === undefined || withoutSlashes(url) === value;
}

interface Project {
  readonly profile?: string;
  readonly board?: string;
  readonly column?: string;
}

async function readProject(io: Io): Promise<Project> {
  const text = await readTextIfThere(join(io.cwd, PROJECT_FILE));
  if (text === null) return {};
  const project = jsonIn(text);
  if (isTexts(project)) return project;
  throw new UsageError(
    `${PROJECT_FILE} is no JSON object of texts. It may hold "profile", "board" and "column".`,
  );
}

async function chosenProfile(io: Io, flags: GlobalFlags, project: Project) {
  const { current, profiles } = await readProfiles(io);
  const named = flags.profile ?? io.env['LEASEBOARD_PROFILE'] ?? project.profile;
  const name = named ?? current;
  const none: Profile = {};
  if (name === null) return { name, profile: none };
  const profile = profileNamed(profiles, name);
  if (profile === undefined) {
    const known = Object.keys(profiles).join(', ') || 'none';
    throw new UsageError(`There is no profile "${name}"; there are: ${known}. Make one by \`profile set\`.`);
  }
  return { name, profile };
}

/** A token that stands on the command line, or in a file that it names. */
export async function givenToken(io: Io, { token, tokenFile }: GlobalFlags): Promise<Found | null> {
  if (token !== undefined) return { value: token, from: '--token' };
  if (tokenFile === undefined) return null;
  const text = tokenFile === '-' ? await io.readStdin() : await readTextFile(tokenFile);
  return { value: text.trim(), from: '--token-file' };
}

/** Beside a running `npm start` nothing has to be set up. Its token never leaves the machine. */
async function localToken(io: Io, url: string): Promise<Found | null> {
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)) return null;
  const text = await readTextIfThere(join(io.cwd, LOCAL_TOKEN_FILE));
  return found(text?.trim(), LOCAL_TOKEN_FILE);
}
