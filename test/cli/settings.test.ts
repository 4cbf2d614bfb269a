import { mkdtemp, readdir, readFile, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { scriptedServer } from '../client/support/scripted-server.ts';
import { runIn } from './support/cli-world.ts';

const ME = { status: 200, body: { name: 'me' } };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-settings-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
});

/** The token that a call of these words sends, from this folder and environment. */
async function tokenSent(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const server = await scriptedServer(ME);
  const { code, err } = await runIn(folder, ['server', 'me', '--json', ...words], {
    env: { LEASEBOARD_URL: server.url, ...env },
  });
  expect([code, err]).toEqual([0, '']);
  return String(server.seen[0]?.headers['authorization']);
}

describe('which token is used', () => {
  test('is the one of the flag, then of the environment, then of the profile, then of npm start', async () => {
    await mkdir(join(folder, '.leaseboard'));
    await writeFile(join(folder, '.leaseboard', 'admin-token'), 'local\n');
    expect(await tokenSent([])).toBe('Bearer local');

    await writeFile(join(folder, 'token.txt'), 'kept\n');
    await runIn(folder, ['profile', 'set', 'work', '--token-file', join(folder, 'token.txt')]);
    expect(await tokenSent([])).toBe('Bearer kept');
    expect(await tokenSent([], { LEASEBOARD_TOKEN: 'environment' })).toBe('Bearer environment');
    expect(await tokenSent(['--token', 'flag'], { LEASEBOARD_TOKEN: 'environment' })).toBe('Bearer flag');
    const file = ['--token-file', join(folder, 'token.txt')];
    expect(await tokenSent(file, { LEASEBOARD_TOKEN: 'environment' })).toBe('Bearer kept');
  });

  test('never is the one of npm start for an address elsewhere', async () => {
    await mkdir(join(folder, '.leaseboard'));
    await writeFile(join(folder, '.leaseboard', 'admin-token'), 'local\n');
    const { code, err } = await runIn(folder, ['server', 'me', '--url', 'https://elsewhere.invalid']);
    expect([code, err]).toEqual([3, expect.stringContaining('No token')]);
  });

  test('of a profile goes to the address of that profile only', async () => {
    await runIn(folder, ['profile', 'set', 'work', '--url', 'http://127.0.0.1:1', '--token', 'kept']);
    await mkdir(join(folder, '.leaseboard'));
    await writeFile(join(folder, '.leaseboard', 'admin-token'), 'local');
    expect(await tokenSent([])).toBe('Bearer local');
    const server = await scriptedServer(ME);
    await runIn(folder, ['profile', 'set', 'work', '--url', `${server.url}/`]);
    await runIn(folder, ['server', 'me', '--url', server.url]);
    expect(server.seen[0]?.headers['authorization']).toBe('Bearer kept');
  });

  test.each(['lb_a\nb', 'lb_é', 'lb a', ''])('is never %j, which is none', async (token) => {
    const { code, err } = await runIn(folder, ['server', 'me', '--token', token]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^What --token gives is no token/)]);
  });

  test('is not shown by anything that lists settings', async () => {
    await runIn(folder, ['profile', 'set', 'work', '--token', 'lb_a_secret', '--url', 'http://127.0.0.1:1']);
    const listed = await runIn(folder, ['profile', 'list', '--json']);
    expect(JSON.parse(listed.out)).toEqual({
      items: [{ name: 'work', used: true, url: 'http://127.0.0.1:1', has_token: true }],
    });
    const doctor = await runIn(folder, ['doctor']);
    expect(listed.out + doctor.out + doctor.err).not.toContain('secret');
  });
});

describe('profiles', () => {
  test('give address, board and agent, and what a folder says wins over them', async () => {
    const server = await scriptedServer(ME, { status: 200, body: { items: [], next_cursor: null } });
    const set = [
      'profile',
      'set',
      'work',
      '--url',
      server.url,
      '--token',
      't',
      '--board',
      'far',
      '--agent',
      'a-1',
    ];
    await runIn(folder, set);
    await runIn(folder, ['server', 'me']);
    await writeFile(join(folder, '.leaseboard.json'), '{"board": "near"}');
    await runIn(folder, ['card', 'list']);
    expect(server.seen.map(({ path, headers }) => [path, headers['x-agent']])).toEqual([
      ['/v1/me', 'a-1'],
      ['/v1/boards/near/cards', 'a-1'],
    ]);
  });

  test('cannot have their token sent to an address that a folder names', async () => {
    const server = await scriptedServer(ME);
    await runIn(folder, ['profile', 'set', 'work', '--url', server.url, '--token', 't']);
    await writeFile(join(folder, '.leaseboard.json'), '{"url": "http://127.0.0.1:1"}');
    expect(await runIn(folder, ['server', 'me'])).toMatchObject({ code: 0 });
    expect(server.seen).toHaveLength(1);
  });

  test('are kept where only their owner reads them', async () => {
    await runIn(folder, ['profile', 'set', 'work', '--token', 't']);
    const home = join(folder, '.config', 'leaseboard');
    expect(await readdir(home)).toEqual(['profiles.json']);
    expect((await stat(join(home, 'profiles.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(home, 'profiles.json'), 'utf8'))).toEqual({
      current: 'work',
      profiles: { work: { token: 't' } },
    });
  });

  test.each([
    '{',
    'null',
    '[]',
    '{"profiles": null}',
    '{"profiles": {"work": 5}}',
    '{"profiles": {"work": {"url": 5}}}',
    '{"current": 5}',
  ])('in a file that holds %s are a mistake that names the file', async (text) => {
    await mkdir(join(folder, '.config', 'leaseboard'), { recursive: true });
    await writeFile(join(folder, '.config', 'leaseboard', 'profiles.json'), text);
    const { code, err } = await runIn(folder, ['server', 'me']);
    expect([code, err]).toEqual([2, expect.stringContaining('profiles.json holds no profiles')]);
  });

  test.each(['{', 'null', '["newsroom"]', '{"board": 5}'])(
    'are not read from a folder that says %s',
    async (text) => {
      await writeFile(join(folder, '.leaseboard.json'), text);
      const { code, err } = await runIn(folder, ['server', 'me']);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('.leaseboard.json is no JSON object of texts'),
      ]);
    },
  );

  test('may have any name, and one that every object knows is none', async () => {
    const { code, err } = await runIn(folder, ['server', 'me', '--profile', 'constructor']);
    expect([code, err]).toEqual([2, expect.stringContaining('no profile "constructor"')]);
    await runIn(folder, ['profile', 'set', '__proto__', '--url', 'http://127.0.0.1:1', '--json']);
    const { out } = await runIn(folder, ['profile', 'list', '--json']);
    expect(JSON.parse(out)).toMatchObject({ items: [{ name: '__proto__', url: 'http://127.0.0.1:1' }] });
  });

  test('that cannot be written say why', async () => {
    await writeFile(join(folder, '.config'), 'a file where a folder is to be');
    const { code, err } = await runIn(folder, ['profile', 'set', 'work', '--token', 't']);
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be written')]);
  });

  test.each(['ftp://x', 'http://', 'http://me:secret@127.0.0.1:1', 'http://127.0.0.1:1/?a=b', 'http://x y'])(
    'cannot lead to %s',
    async (url) => {
      const { code, err } = await runIn(folder, ['server', 'me', '--url', url, '--token', 't']);
      expect([code, err]).toEqual([2, expect.stringContaining('is no address')]);
    },
  );

  test('that are not there are named as a mistake, with those that are', async () => {
    await runIn(folder, ['profile', 'set', 'work', '--token', 't']);
    const { code, err } = await runIn(folder, ['server', 'me', '--profile', 'play']);
    expect([code, err]).toEqual([2, expect.stringContaining('no profile "play"; there are: work')]);
  });
});
