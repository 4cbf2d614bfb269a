import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { createCliWorld, type CliWorld, type RunWith } from './support/cli-world.ts';

const SOON_MS = 20_000;

let world: CliWorld;
let boards = 0;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => world.close());

/** A board with cards in Ready; answers its slug. */
async function boardWith(...titles: string[]): Promise<string> {
  const slug = `run-${(boards += 1)}`;
  await world.json(`board create --name Run --slug ${slug}`);
  for (const title of titles) {
    await world.words(['card', 'create', '--board', slug, '--column', 'Ready', '--title', title]);
  }
  return slug;
}

/** Runs a shell script for cards of Ready. */
async function runScript(board: string, script: string, flags = '', options: RunWith = {}) {
  const given = `card run --board ${board} --column Ready --agent runner-1 ${flags}`.trim().split(' ');
  return world.words([...given, '--', 'sh', '-c', script], options);
}

async function only(board: string): Promise<Record<string, unknown>> {
  const { items } = await world.json(`card list --board ${board}`);
  const [card] = items as { id: string }[];
  return world.json(`card show ${String(card?.id)}`);
}

describe('a command that is run for a card', () => {
  test('has it on its input and in its environment, and what it prints is the output', async () => {
    const board = await boardWith();
    await world.words([
      ...`card create --board ${board} --column Ready --title`.split(' '),
      'Draft it',
      '--properties',
      '{"n": 1}',
    ]);
    const script = `read -r card; printf '{"title": "%s", "payload": %s, "attempt": %s, "card": %s}' \
      "$LEASEBOARD_CARD_TITLE" "$LEASEBOARD_PAYLOAD" "$LEASEBOARD_ATTEMPT" "$card"`;
    const { code, out } = await runScript(board, `{ cat; echo; } | (${script})`);
    expect([code, out]).toEqual([EXIT.ok, expect.stringMatching(/claimed .*\ncompleted/)]);
    expect(await only(board)).toMatchObject({
      state: 'done',
      output: { title: 'Draft it', payload: { n: 1 }, attempt: 1, card: { title: 'Draft it' } },
    });
  });

  test('may heartbeat by itself, with what its environment holds', async () => {
    const board = await boardWith('One');
    const seen = join(world.folder, 'lease.json');
    const { code } = await runScript(
      board,
      `echo "$LEASEBOARD_LEASE_ID $LEASEBOARD_LEASE_TOKEN" > ${seen}; cat > /dev/null`,
    );
    expect(code).toBe(EXIT.ok);
    const [id, token] = (await readFile(seen, 'utf8')).trim().split(' ');
    const env = { LEASEBOARD_LEASE_ID: String(id), LEASEBOARD_LEASE_TOKEN: String(token) };
    // Its lease is over by now: the refusal shows that both were taken from the environment.
    expect(await world.cli('lease heartbeat --progress 50', { env })).toMatchObject({ code: EXIT.conflict });
  });

  test.each([
    [3, { state: 'waiting', waiting_on: 'backoff', attempt: 1 }, 'failed'],
    [65, { state: 'dead', attempt: 1 }, 'failed'],
    [75, { state: 'waiting', waiting_on: 'backoff', attempt: 0 }, 'failed'],
  ])('and ends with %i settles it so', async (exit, card, outcome) => {
    const board = await boardWith('One');
    const ran = await runScript(board, `echo nothing to see; echo the disk is full >&2; exit ${exit}`);
    expect(ran).toMatchObject({ code: EXIT.commandFailed, err: 'the disk is full\n' });
    expect(ran.out).toContain(`${outcome}     RUN`);
    expect(await only(board)).toMatchObject(card);
    const { id } = await only(board);
    const { items } = await world.json(`card runs ${String(id)}`);
    expect(items).toMatchObject([{ error: `exit code ${exit}: the disk is full` }]);
  });

  test('takes one card unless it is told to go on', async () => {
    const board = await boardWith('One', 'Two', 'Three');
    expect((await runScript(board, 'true')).out.match(/completed/g)).toHaveLength(1);
    const rest = await runScript(board, 'true', '--until-empty --concurrency 2 --json');
    const lines = rest.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; card_id: string });
    expect(lines.filter(({ type }) => type === 'completed')).toHaveLength(2);
    expect(lines.every(({ card_id }) => card_id.startsWith('crd_'))).toBe(true);
    expect(rest.code).toBe(EXIT.ok);
    expect((await runScript(board, 'true', '--until-empty')).code).toBe(EXIT.nothingToClaim);
  });

  test('costs the card nothing when it cannot be started', async () => {
    const board = await boardWith('One');
    const words = `card run --board ${board} --column Ready --agent a -- /no/such/program`;
    const { code, err } = await world.cli(words);
    expect([code, err]).toEqual([EXIT.unexpected, expect.stringContaining('cannot be started')]);
    expect(await only(board)).toMatchObject({ state: 'ready', attempt: 0 });
  });

  test('is stopped with all that it started, and the card given back, on Ctrl-C', async () => {
    const board = await boardWith('One');
    const begun = join(world.folder, 'begun');
    const ended = join(world.folder, 'ended');
    const script = join(world.folder, 'work.sh');
    await writeFile(
      script,
      `#!/bin/sh\ntrap 'touch ${ended}; exit 1' TERM\ntouch ${begun}\nsleep 600 & wait\n`,
    );
    await chmod(script, 0o755);
    const interrupt = new AbortController();
    const words = `card run --board ${board} --column Ready --agent a -- ${script}`;
    const running = world.cli(words, { signal: interrupt.signal });
    await waitUntil('the command to begin', SOON_MS, () => existsSync(begun));
    interrupt.abort();
    expect((await running).code).toBe(EXIT.interrupted);
    expect(existsSync(ended)).toBe(true);
    expect(await only(board)).toMatchObject({ state: 'ready', attempt: 0 });
  });

  test('is stopped when somebody asks it to, and the card waits for that person', async () => {
    const board = await boardWith();
    await world.json(`column edit-contract Ready --board ${board} --lease-ttl-seconds 5`);
    await world.json(`card create --board ${board} --column Ready --title One`);
    const running = runScript(board, 'exec sleep 600');
    await waitUntil('the card to be held', SOON_MS, async () => (await only(board))['state'] === 'leased');
    const { id } = await only(board);
    await world.json(`card request-cancel ${String(id)} --reason wrong`);
    const { code, out } = await running;
    expect([code, out]).toEqual([EXIT.conflict, expect.stringContaining('blocked')]);
    expect(await only(board)).toMatchObject({ state: 'blocked' });
  });

  test('may print without end', async () => {
    const board = await boardWith('One');
    const { code } = await runScript(board, 'yes | head -c 1000000; echo the end');
    expect(code).toBe(EXIT.ok);
    const { output } = (await only(board)) as { output: { cut: boolean; end_of_output: string } };
    expect([output.cut, output.end_of_output.endsWith('the end')]).toEqual([true, true]);
  });
});
