/**
 * `npm run bench:webhooks`: what one dead receiver does to four healthy ones. A thousand events go to the four, once
 * with a fifth webhook whose receiver takes connections and never answers, and once without; the delay of a delivery is
 * from its event to its receipt. Fails when the healthy ones' p95 is over 1.5 times that of the run without, or over 5 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LeaseboardClient, type BoardEvent } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { startKillableStack, STACK_TOKEN } from '../support/killable-stack.ts';
import { startReceiver, type Receiver } from '../webhooks/support/receiver.ts';

const HEALTHY = 4;
const MAX_RATIO = 1.5;
const MAX_P95_MS = 5_000;
const LIMIT_MS = 600_000;
/** A table that is busy for a moment is the machine's affair, not what is measured. */
const PATIENT = { retries: 100 };

const { values } = parseArgs({
  options: { events: { type: 'string', default: '1000' }, rate: { type: 'string', default: '10' } },
});
const EVENTS = Number(values.events);
/** Events a second. */
const RATE = Number(values.rate);

interface Measured {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly toDead: number;
}

async function measure(withDead: boolean): Promise<Measured> {
  const stack = await startKillableStack(await freePort(), ['--memory']);
  const receivers: Receiver[] = [];
  try {
    const client = new LeaseboardClient({ url: stack.url, token: STACK_TOKEN });
    const board = await client.boards.create({ name: 'Isolation' });
    const delays: number[] = [];
    for (let at = 0; at < HEALTHY; at += 1) {
      const receiver = await startReceiver((response, { body }) => {
        delays.push(Date.now() - Date.parse((JSON.parse(body) as BoardEvent).timestamp));
        response.end();
      });
      receivers.push(receiver);
      await client.webhooks.create(board.id, { url: receiver.url });
    }
    const dead = await startReceiver(() => undefined);
    receivers.push(dead);
    if (withDead) await client.webhooks.create(board.id, { url: dead.url });
    await makeEvents(client, board.id);
    await waitUntil('all deliveries', LIMIT_MS, () => delays.length >= EVENTS * HEALTHY);
    delays.sort((a, b) => a - b);
    const at = (share: number): number => delays[Math.floor((delays.length - 1) * share)] ?? 0;
    return { p50: at(0.5), p95: at(0.95), max: at(1), toDead: dead.received.length };
  } finally {
    await Promise.all(receivers.map(async (receiver) => receiver.close()));
    await stack.kill();
  }
}

/** At a steady rate, whatever the answers take. */
async function makeEvents(client: LeaseboardClient, board: string): Promise<void> {
  const began = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let made = 0; made < EVENTS; made += 1) {
    await sleep(Math.max(0, began + (made * 1_000) / RATE - performance.now()));
    calls.push(client.cards.create(board, { title: `Card ${made}` }, PATIENT));
  }
  await Promise.all(calls);
}

const show = ({ p50, p95, max, toDead }: Measured): string =>
  `p50 ${p50} ms, p95 ${p95} ms, max ${max} ms, ${toDead} requests to the dead one`;

console.log(`${EVENTS} events at ${RATE}/s to ${HEALTHY} healthy receivers`);
const without = await measure(false);
console.log(`without a dead one: ${show(without)}`);
const beside = await measure(true);
console.log(`beside a dead one:  ${show(beside)}`);
const ratio = beside.p95 / without.p95;
const holds = ratio <= MAX_RATIO && beside.p95 < MAX_P95_MS;
console.log(
  `${holds ? 'ok' : 'FAILED'}: p95 is ${ratio.toFixed(2)} times as long beside it (at most ${MAX_RATIO})`,
);
process.exit(holds ? 0 : 1);
