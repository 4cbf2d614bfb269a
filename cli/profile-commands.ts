/** `leaseboard profile`: installations by name. */
import type { Command } from 'commander';
import type { Io } from './io.ts';
import { outputOf } from './output.ts';
import { profileNamed, profilesFile, readProfiles, writeProfiles, type Profile } from './profiles.ts';
import { givenToken, type GlobalFlags } from './settings.ts';
import { UsageError } from './usage-error.ts';

const COLUMNS = ['name', 'used', 'url', 'board', 'column', 'agent', 'has_token'];

export function addProfile(program: Command, io: Io): void {
  const profile = program
    .command('profile')
    .description('Installations by name: address, token, board, agent');
  addSet(profile, io);
  profile
    .command('use')
    .description('Use this profile when none is named')
    .argument('<name>', 'name of a profile')
    .addHelpText('after', '\nExample:\n  leaseboard profile use work')
    .action(async (name: string, _options: object, command: Command) => {
      const all = await existing(io, name);
      await writeProfiles(io, { ...all, current: name });
      tell(io, command.optsWithGlobals(), { name, used: true }, `Using "${name}".`);
    });
  profile
    .command('list')
    .description('Profiles, without their tokens')
    .addHelpText('after', '\nExample:\n  leaseboard profile list --json')
    .action(async (_options: object, command: Command) => listProfiles(io, command.optsWithGlobals()));
  addDelete(profile, io);
}

function addSet(profile: Command, io: Io): void {
  profile
    .command('set')
    .description(
      'Keep --url, --token-file, --board, --column and --agent under a name, and use it from now on',
    )
    .argument('<name>', 'such as "work"')
    .option('--column <column>', 'column to claim from')
    .addHelpText(
      'after',
      '\nExample:\n  leaseboard profile set work --url https://YOUR-API --token-file token.txt --board newsroom',
    )
    .action(async (name: string, _options: object, command: Command) => {
      await setProfile(io, name, command.optsWithGlobals());
    });
}

function addDelete(profile: Command, io: Io): void {
  profile
    .command('delete')
    .description('Forget a profile')
    .argument('<name>', 'name of a profile')
    .addHelpText('after', '\nExample:\n  leaseboard profile delete work')
    .action(async (name: string, _options: object, command: Command) => {
      const { current, profiles } = await existing(io, name);
      const left = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name));
      await writeProfiles(io, { current: current === name ? null : current, profiles: left });
      tell(io, command.optsWithGlobals(), { name, deleted: true }, `Forgot "${name}".`);
    });
}

async function existing(io: Io, name: string) {
  const all = await readProfiles(io);
  if (profileNamed(all.profiles, name) !== undefined) return all;
  throw new UsageError(`There is no profile "${name}"; \`leaseboard profile list\` shows what there is.`);
}

/** What is not given stays as it was. */
async function setProfile(io: Io, name: string, flags: GlobalFlags & { column?: string }): Promise<void> {
  const { profiles } = await readProfiles(io);
  const token = await givenToken(io, flags);
  const given = { ...pick(flags), ...(token === null ? {} : { token: token.value }) };
  const profile: Profile = { ...profileNamed(profiles, name), ...given };
  await writeProfiles(io, { current: name, profiles: { ...profiles, [name]: profile } });
  const file = profilesFile(io);
  tell(io, flags, { name, used: true, file }, `Kept "${name}" in ${file}, and using it from now on.`);
}

/** What was done: a sentence for people, an object for programs. */
function tell(io: Io, flags: GlobalFlags, done: object, sentence: string): void {
  const output = outputOf(io, flags);
  if (output.json) output.show(done);
  else output.note(sentence);
}

function pick({ url, board, column, agent }: GlobalFlags & { column?: string }): Profile {
  const entries = Object.entries({ url, board, column, agent });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

async function listProfiles(io: Io, flags: GlobalFlags): Promise<void> {
  const { current, profiles } = await readProfiles(io);
  const items = Object.entries(profiles).map(([name, { token, ...shown }]) => ({
    name,
    used: name === current,
    ...shown,
    has_token: token !== undefined,
  }));
  outputOf(io, flags).show({ items }, { columns: COLUMNS });
}
