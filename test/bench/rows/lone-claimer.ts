/** One claimer alone: it must take the cards in the queue's order and lose no race, not even to its own lag. */
import { claimNext } from '../../../shared/verbs/claim-next.ts';
import { Store } from '../../../shared/store/store.ts';
import { createQueue } from '../../support/queue.ts';
import { seedCards } from '../../support/seed.ts';
import { createWorld } from '../../support/world.ts';
import { atMost, reported, type Bench, type Figure } from '../support/figure.ts';
import { LaggingStore } from '../../support/lagging-store.ts';
import { listeningClient } from '../support/listen.ts';
import { displacements } from '../support/order.ts';
import { Ledger } from '../support/probe.ts';
import { RoundTrips } from '../support/round-trips.ts';

const CARDS = 200;
const LAG_MS = 200;
/** Time that a round trip takes to the table, by the clock of the world. */
const ROUND_TRIP_MS = 4;

export async function loneClaimerRows(bench: Bench): Promise<Figure[]> {
  const prompt = await drainAlone(bench, 0);
  const lagging = await drainAlone(bench, LAG_MS);
  return [
    atMost('out-of-order distance: lone claimer', 0, prompt.distance),
    atMost('out-of-order distance: lone claimer, 200 ms index lag', 0, lagging.distance),
    reported('lost races per claim: lone claimer, 200 ms index lag', lagging.refusedPerClaim),
  ];
}

async function drainAlone(
  bench: Bench,
  lagMs: number,
): Promise<{ distance: number; refusedPerClaim: number }> {
  const world = await createWorld({ table: await bench.newTable(), seed: 1 });
  const queue = await createQueue(world);
  const backlog = await seedCards(world, queue.column, CARDS);
  const trips = new RoundTrips(() => world.clock.advance(ROUND_TRIP_MS));
  const ledger = new Ledger();
  const client = listeningClient(world, { onCall: ledger.add, around: (call) => trips.within(call) });
  const { deps, ...rest } = world.engine();
  const options = { tableName: world.table.tableName, client, deps, meter: () => undefined };
  const store = lagMs === 0 ? new Store(options) : new LaggingStore(options, lagMs);
  const claimed: string[] = [];
  while (claimed.length < CARDS) {
    const input = { board: queue.board, column: queue.column.column_id };
    const { value } = await claimNext({ ...rest, deps, store }, world.agent('ada'), input, null);
    if (value.card === null) throw new Error(`After ${claimed.length} of ${CARDS} cards: ${value.reason}`);
    claimed.push(value.card.id);
  }
  return {
    distance: Math.max(...displacements({ backlog, claimed })),
    refusedPerClaim: ledger.refused / CARDS,
  };
}
