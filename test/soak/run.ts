/**
 * `npm run soak -- [--minutes M] [--cards N] [--workers W]`: the local stack from outside, over HTTP, with workers and
 * the whole stack killed (-9, database and all) in the middle of their work. Then what callers heard is held against
 * every item of the table. Ends non-zero when a promise was found broken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { appendFileSync, writeFileSync } from 'node:fs';
import { SingleBar } from 'cli-progress';
import { LeaseboardClient } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { checkOutside } from '../sim/checker/outside.ts';
import type { Call } from '../sim/recording.ts';
import { STACK_TOKEN, startKillableStack, type KillableStack } from '../support/killable-stack.ts';
import { readHistory, readTable } from './evidence.ts';
import { SoakFleet } from './fleet.ts';
import { eventsSettled } from './settled.ts';
import { parseSoakOptions, type SoakOptions } from './options.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const BATCH = 50;
/** Cards made ahead of those that are worked off. */
const AHEAD = 500;
const LEASE_SECONDS = 5;
/** After the last kill everything must be worked off within this. */
const DRAIN_MS = 10 * MINUTE_MS;
const PATIENT = { retries: 100 };
const SHOWN = 20;

interface Soak {
  readonly options: SoakOptions;
  readonly client: LeaseboardClient;
  readonly history: string;
  readonly board: string;
  readonly column: string;
  made: number;
}

async function main(options: SoakOptions): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-soak-'));
  const history = join(directory, 'history.jsonl');
  writeFileSync(history, '');
  const port = await freePort();
  const start = async () => startKillableStack(port, ['--data', directory]);
  const stack: { now: KillableStack; kills: number } = { now: await start(), kills: 0 };
  try {
    const soak = await createSoak(stack.now.url, options, history);
    const fleet = new SoakFleet(
      [soak.client.url, STACK_TOKEN, soak.board, soak.column, history],
      options.workers,
    );
    const restart = async () => {
      await stack.now.kill();
      stack.now = await start();
      stack.kills += 1;
    };
    let drained = false;
    try {
      await disturb(soak, fleet, restart);
      drained = await drain(soak);
    } finally {
      await fleet.stop();
    }
    if (drained) await settle(soak);
    await stack.now.kill();
    return await judge({
      soak,
      directory,
      drained,
      kills: `${fleet.kills} workers and ${stack.kills} stacks killed`,
    });
  } finally {
    await stack.now.kill();
    await rm(directory, { recursive: true, force: true });
  }
}

async function createSoak(url: string, options: SoakOptions, history: string): Promise<Soak> {
  const client = new LeaseboardClient({ url, token: STACK_TOKEN });
  const board = await client.boards.create({ name: 'Soak' });
  const column = board.columns.find(({ name }) => name === 'Ready')?.id ?? '';
  const done = board.columns.find(({ role }) => role === 'done')?.id ?? '';
  const response = await fetch(`${url}/v1/boards/${board.id}/columns/${column}/contract`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${STACK_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      enabled: true,
      lease_ttl_seconds: LEASE_SECONDS,
      max_attempts: 20,
      backoff_seconds: [1],
      on_success_column_id: done,
    }),
  });
  if (!response.ok)
    throw new Error(`The contract was not taken: ${response.status} ${await response.text()}`);
  return { options, client, history, board: board.id, column, made: 0 };
}

/** Makes cards and kills, until the time is up or all cards are made and worked off. */
async function disturb(soak: Soak, fleet: SoakFleet, restart: () => Promise<void>): Promise<void> {
  const { minutes, cards, killEvery, stackEvery } = soak.options;
  const bar = new SingleBar({
    format: '{bar} {percentage} % {made} cards made, {open} open',
    hideCursor: true,
  });
  const startedAt = Date.now();
  const until = startedAt + minutes * MINUTE_MS;
  bar.start(minutes * MINUTE_MS, 0, { made: 0, open: 0 });
  let nextKill = startedAt + killEvery * SECOND_MS;
  let nextRestart = startedAt + stackEvery * SECOND_MS;
  for (let turn = 0; Date.now() < until; turn += 1) {
    const open = await countOpen(soak);
    if (open === 0 && soak.made >= cards) break;
    bar.update(Date.now() - startedAt, { made: soak.made, open });
    if (open < AHEAD && soak.made < cards) await makeCards(soak);
    else await delay(SECOND_MS / 4);
    if (Date.now() >= nextKill) {
      fleet.killOne(turn);
      nextKill += killEvery * SECOND_MS;
    }
    if (Date.now() >= nextRestart) {
      await restart();
      nextRestart = Date.now() + stackEvery * SECOND_MS;
    }
  }
  bar.stop();
}

/** Cards that are neither done nor dead, as far as the queue shows them; at most as many as are counted. */
async function countOpen({ client, board, column }: Soak): Promise<number> {
  const detail = await client.boards.get(board, PATIENT);
  const counts = detail.columns.find(({ id }) => id === column)?.counts ?? {};
  const open = ['ready', 'leased', 'waiting'] as const;
  return open.reduce((sum, state) => sum + ((counts as Partial<Record<string, number>>)[state] ?? 0), 0);
}

async function makeCards(soak: Soak): Promise<void> {
  const { client, board, column, history } = soak;
  const invoked = Date.now();
  const inputs = Array.from({ length: BATCH }, (_, at) => ({
    title: `Card ${soak.made + at}`,
    column_id: column,
  }));
  const { items } = await client.cards.createBatch(board, inputs, PATIENT);
  for (const row of items) {
    if (!('card' in row)) continue;
    const call: Call = { actor: 'maker', verb: 'create', invoked, outcome: 'ok', created: row.card.id };
    appendFileSync(history, `${JSON.stringify({ ...call, cardId: row.card.id })}\n`);
  }
  soak.made += BATCH;
}

async function drain(soak: Soak): Promise<boolean> {
  const until = Date.now() + DRAIN_MS;
  for (let empty = 0; empty < 3;) {
    if (Date.now() > until) return false;
    empty = (await countOpen(soak)) === 0 ? empty + 1 : 0;
    await delay(SECOND_MS);
  }
  return true;
}

/** Events of the last completions reach the log; of those that do not, the checker tells. */
async function settle({ client, board, made }: Soak): Promise<void> {
  const bar = new SingleBar({ format: '{bar} {percentage} % of ends are in the feed', hideCursor: true });
  bar.start(made, 0, {});
  await eventsSettled(client, board, made, (ended) => bar.update(ended, {}));
  bar.stop();
}

async function judge(of: {
  soak: Soak;
  directory: string;
  drained: boolean;
  kills: string;
}): Promise<number> {
  const { soak, directory, drained, kills } = of;
  const calls = readHistory(soak.history);
  const { items, lanes } = await readTable(join(directory, 'dynamodb'));
  const violations = checkOutside({ calls, items, lanes, drained, endedAt: Date.now() });
  const count = (verb: string) => calls.filter((call) => call.verb === verb && call.outcome === 'ok').length;
  const jobs = items.filter((item) => item['sk'] === 'JOB');
  const states = [...Map.groupBy(jobs, (job) => String(job['state']))].map(
    ([state, of]) => `${of.length} ${state}`,
  );
  console.log(`\n${jobs.length} cards made: ${states.join(', ')}; ${kills}.`);
  console.log(
    `${calls.length} calls: ${count('claim-next')} claims, ${count('complete')} completions, ${count('fail')} failures, ` +
      `${count('release')} releases answered, ${calls.filter(({ outcome }) => outcome === 'unknown').length} never.`,
  );
  for (const { rule, what } of violations.slice(0, SHOWN)) console.log(`${rule} ${what}`);
  console.log(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
  return violations.length === 0 ? 0 : 1;
}

process.exitCode = await main(parseSoakOptions(process.argv.slice(2)));
