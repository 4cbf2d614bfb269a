import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { buildProgram } from '../../cli/program.ts';
import { createCliWorld, runIn, type CliWorld } from './support/cli-world.ts';

let world: CliWorld;
let boards = 0;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => world.close());

async function newBoard(): Promise<string> {
  const slug = `cli-${(boards += 1)}`;
  await world.json(`board create --name Board${boards} --slug ${slug}`);
  return slug;
}

describe('the commands', () => {
  test('have names of their own, help with an example, and no flag twice', () => {
    const io = { out: () => {}, err: () => {} };
    const program = buildProgram(Object.assign(io, world) as never, () => {});
    const leaves = leavesOf(program);
    expect(leaves.length).toBeGreaterThan(90);
    expect(new Set(leaves.map(([name]) => name)).size).toBe(leaves.length);
    for (const [name, command] of leaves) {
      const flags = [...command.options, ...program.options].map(({ long }) => long);
      expect([name, new Set(flags).size]).toEqual([name, flags.length]);
    }
  });

  test.each(['card create', 'card run', 'lease fail', 'import', 'mcp config', 'completion'])(
    '%s explains itself by an example',
    async (name) => {
      const { code, out } = await world.cli(`${name} --help`);
      expect([code, out]).toEqual([EXIT.ok, expect.stringMatching(/Examples?:\n +(source <\()?leaseboard /)]);
    },
  );

  test('take a card through its life, by names and keys', async () => {
    const board = await newBoard();
    const at = `--board ${board}`;
    const card = await world.json(
      `card create ${at} --column Ready --title One --priority 7 --label a --label b`,
    );
    expect(card).toMatchObject({ state: 'ready', priority: 7, labels: ['a', 'b'] });
    const key = String(card['key']);

    expect(await world.json(`card edit ${key} ${at} --priority 9`)).toMatchObject({ priority: 9 });
    expect(await world.json(`card hold ${key} ${at}`)).toMatchObject({ waiting_on: 'hold' });
    expect((await world.cli(`card claim ${at} --column Ready --agent drafter-1`)).code).toBe(
      EXIT.nothingToClaim,
    );
    await world.json(`card unhold ${key} ${at}`);

    const claim = await world.json(`card claim ${at} --column Ready --agent drafter-1`);
    const lease = String(claim['lease_id']);
    const renewed = await world.json(`lease heartbeat ${lease} --progress 50 --note half`);
    expect(renewed).toMatchObject({ signals: { cancel_requested: null } });
    expect(await world.json(`card request-cancel ${key} ${at} --reason late`)).toMatchObject({
      cancel_requested: { reason: 'late' },
    });
    const completed = await world.words([
      'lease',
      'complete',
      lease,
      '--output',
      '{"url": "https://example.com/1"}',
      '--json',
    ]);
    expect(JSON.parse(completed.out)).toMatchObject({
      card: { state: 'done', output: { url: 'https://example.com/1' } },
      run: { outcome: 'completed', agent: 'drafter-1' },
    });
    const runs = await world.cli(`card runs ${key} ${at} --all --json`);
    expect(JSON.parse(runs.out)).toMatchObject({ number: 1, outcome: 'completed' });
    expect((await world.cli(`lease renew ${lease}`)).code).toBe(EXIT.usage);
  });

  test('bring back a dead card', async () => {
    const board = await newBoard();
    const at = `--board ${board}`;
    const card = await world.json(`card create ${at} --column Ready --title One`);
    const claim = await world.json(`card claim ${at} --column Ready --agent a`);
    await world.json(`lease fail ${String(claim['lease_id'])} --reason broken --no-retryable`);
    const dead = await world.cli(`card list ${at} --state dead`);
    expect(dead.out).toContain(String(card['key']));
    expect(await world.json(`column redrive Ready ${at}`)).toEqual({ redriven: 1, refused: 0, more: false });
    expect(await world.json(`card show ${String(card['key'])} ${at}`)).toMatchObject({ state: 'ready' });
  });

  test('change a contract in part, or replace it', async () => {
    const at = `--board ${await newBoard()}`;
    const before = await world.json(`column contract Ready ${at}`);
    const edited = await world.json(`column edit-contract Ready ${at} --max-attempts 3`);
    expect(edited).toEqual({ ...before, max_attempts: 3 });
    const replaced = await world.json(`column set-contract Ready ${at} --enabled --on-success Done`);
    expect(replaced).toMatchObject({ enabled: true, max_attempts: 5 });
  });

  test('attach a file, and list it', async () => {
    const at = `--board ${await newBoard()}`;
    const { key } = await world.json(`card create ${at} --title One`);
    const file = join(world.folder, 'notes.txt');
    await writeFile(file, 'Three words here');
    const attached = await world.json(
      `card attach ${String(key)} ${at} --file ${file} --content-type text/plain`,
    );
    expect(attached).toMatchObject({ name: 'notes.txt', size: 16, uploaded: true });
    const { items } = await world.json(`card attachments ${String(key)} ${at}`);
    expect(items).toMatchObject([{ name: 'notes.txt', content_type: 'text/plain' }]);
  });

  test('show lists as tables without what could steer a terminal', async () => {
    const board = await newBoard();
    await world.words(['card', 'create', '--board', board, '--title', 'Red \u001B[31m alert\u202E']);
    const { out } = await world.cli(`card list --board ${board}`);
    expect(out).toMatch(/^KEY +STATE +PRIORITY +TITLE/);
    expect(out).toContain('Red �[31m alert�');
  });

  test('show a board as its columns', async () => {
    const slug = `cli-${(boards += 1)}`;
    const { out } = await world.cli(`board create --name Wide --slug ${slug}`);
    expect(out).toMatch(/^columns:\n {2}NAME +ROLE +QUEUE .*\n {2}Triage +triage +false/m);
    expect(out.split('\n').length).toBeLessThan(25);
  });

  test('keep a token to the board that its command line names, and to none that is merely set', async () => {
    const board = await newBoard();
    const { id } = await world.json(`board show ${board}`);
    const words = 'token create --name one --scope worker';
    expect(await world.json(`${words} --board ${board}`)).toMatchObject({ board_id: id });
    expect(await world.json(words, { env: { LEASEBOARD_BOARD: board } })).toMatchObject({ board_id: null });
  });

  test('show the token of a lease that they cannot keep', async () => {
    const at = `--board ${await newBoard()} --column Ready`;
    await world.json(`card create ${at} --title One`);
    const nowhere = join(world.folder, 'a-file');
    await writeFile(nowhere, '');
    const claimed = await world.cli(`card claim ${at} --agent a`, { env: { XDG_STATE_HOME: nowhere } });
    expect([claimed.code, claimed.err]).toEqual([EXIT.ok, expect.stringContaining('could not be kept')]);
    expect(claimed.out).toMatch(/^lease_token: +(?!\(kept\))\S+/m);
  });

  test('delete nothing for good that was not named twice', async () => {
    const board = await newBoard();
    expect(await world.cli(`board delete ${board}`)).toMatchObject({ code: EXIT.usage });
    await world.json(`board show ${board}`);
    expect(await world.cli(`board delete ${board} --confirm ${board}`)).toMatchObject({ code: EXIT.ok });
    expect(await world.cli(`board show ${board}`)).toMatchObject({ code: EXIT.notFound });
  });
});

function leavesOf(command: Command, path = ''): [string, Command][] {
  if (command.commands.length === 0) return [[path, command]];
  return command.commands.flatMap((one) => leavesOf(one, `${path} ${one.name()}`.trim()));
}

describe('what a command ends with', () => {
  test('is said for everything that can go wrong', async () => {
    const board = await newBoard();
    const at = `--board ${board}`;
    await world.json(`card create ${at} --column Ready --title Held`);
    const { card } = await world.json(`card claim ${at} --column Ready --agent a`);
    const held = (card as { id: string }).id;
    const worker = await world.mcp.token('worker', { scopes: ['worker'] });
    const gone = { LEASEBOARD_URL: 'http://127.0.0.1:1' };
    const cases: readonly [string, number, Record<string, string>?][] = [
      ['card dance', EXIT.usage],
      ['card list --state', EXIT.usage],
      [`card list ${at} --state funny`, EXIT.usage],
      ['card list', EXIT.usage],
      [`card create ${at} --column Nowhere --title One`, EXIT.notFound],
      [`card show NONE-1 ${at}`, EXIT.notFound],
      ['board show', EXIT.usage],
      [
        `card create-batch ${at} --data {"cards":[{"title":"One"},{"title":"Two","priority":99}]}`,
        EXIT.invalid,
      ],
      [`card bulk ${at} --card ${held} --verb archive`, EXIT.conflict],
      [`lease renew-batch --data {"leases":[{"lease_id":"lse_x","lease_token":"x"}]}`, EXIT.notFound],
      ['server me', EXIT.auth, { LEASEBOARD_TOKEN: `lb_none_${'x'.repeat(40)}` }],
      ['board create --name Mine', EXIT.auth, { LEASEBOARD_TOKEN: worker }],
      ['board show nowhere', EXIT.notFound],
      [`card claim ${held} --agent b`, EXIT.conflict],
      [`card create ${at} --title One --priority 99`, EXIT.invalid],
      [`card claim ${at} --column Ready --agent a`, EXIT.nothingToClaim],
      ['server health --timeout 1', EXIT.unavailable, gone],
      ['doctor', EXIT.unavailable, gone],
    ];
    for (const [words, code, env = {}] of cases) {
      const ran = await world.cli(words, { env });
      expect([words, ran.code, ran.err !== '' || ran.out !== '']).toEqual([words, code, true]);
    }
  });

  test('says that there is no token to whoever gave none', async () => {
    const words = ['board', 'list', '--url', world.mcp.origin];
    const { code, err } = await runIn(world.folder, [...words, '--json']);
    expect([code, JSON.parse(err)]).toMatchObject([EXIT.auth, { code: 'unauthenticated' }]);
  });

  test('comes with a problem document where JSON is asked for', async () => {
    const at = `--board ${await newBoard()}`;
    const { err } = await world.cli(`card create ${at} --title One --priority 99 --json`);
    expect(JSON.parse(err)).toMatchObject({ code: 'validation_failed', errors: [{ path: '/priority' }] });
    const misused = [
      'card list',
      'card list --bogus',
      'card show',
      'card dance',
      'card',
      'mcp config --client x',
    ];
    for (const words of misused) {
      const { code, err: said } = await world.cli(`${words} --json`);
      expect([words, code, JSON.parse(said)]).toEqual([
        words,
        EXIT.usage,
        expect.objectContaining({ code: 'usage' }),
      ]);
    }
  });

  test('is 130 when it is interrupted', async () => {
    const board = await newBoard();
    const signal = AbortSignal.abort();
    expect((await world.cli(`watch --board ${board}`, { signal })).code).toBe(EXIT.interrupted);
  });

  test('is listed', async () => {
    const { out } = await world.cli('exit-codes --json');
    expect(JSON.parse(out)).toMatchObject({ 8: 'nothing to claim' });
  });
});

describe('the doctor', () => {
  test('finds a whole installation well', async () => {
    const board = await newBoard();
    const { ok, checks } = await world.json(`doctor --board ${board}`);
    const names = (checks as { check: string }[]).map(({ check }) => check);
    expect([ok, names]).toEqual([true, ['address', 'server', 'token', 'clock', 'board', 'MCP']]);
  });

  test('says which token was refused, and never shows it', async () => {
    const token = `lb_none_${'x'.repeat(40)}`;
    const { code, out, err } = await world.cli('doctor', { env: { LEASEBOARD_TOKEN: token } });
    expect([code, out]).toEqual([EXIT.auth, expect.stringContaining('FAIL  token')]);
    expect(out + err).not.toContain('x'.repeat(40));
  });

  test('misses a token that was never given', async () => {
    const { code, out } = await runIn(world.folder, ['doctor', '--url', world.mcp.origin]);
    expect([code, out]).toEqual([EXIT.auth, expect.stringContaining('none: set LEASEBOARD_TOKEN')]);
  });
});
