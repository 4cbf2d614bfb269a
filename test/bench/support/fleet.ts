/** Claimers that drain a queue side by side, each an instance of its own as Lambda's are. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newGrant } from '../../../shared/claim/grant.ts';
import { isReady, readLane } from '../../../shared/claim/lanes.ts';
import { takeEntry } from '../../../shared/claim/take.ts';
import type { Engine } from '../../../shared/engine.ts';
import { isProblem } from '../../../shared/errors.ts';
import { claimNext } from '../../../shared/verbs/claim-next.ts';
import { createQueue, type TestQueue } from '../../support/queue.ts';
import { seedCards } from '../../support/seed.ts';
import { createWorld, type World } from '../../support/world.ts';
import type { Bench } from './figure.ts';
import { listeningClient } from './listen.ts';
import { engineOn, Ledger } from './probe.ts';

export interface Backlog {
  readonly claimers: number;
  readonly cards: number;
  /** Priority of the card at this place; default the same for all. */
  readonly priority?: (at: number) => number;
  readonly seed?: number;
}

export interface Drained {
  /** Every card, in the order that the queue had them. */
  readonly backlog: readonly string[];
  /** Every card, in the order that they were claimed. */
  readonly claimed: readonly string[];
  readonly refusedPerClaim: number;
  readonly readUnitsPerClaim: number;
}

interface Claimer {
  readonly engine: Engine;
  readonly name: string;
}

/** Claims in a closed loop until nothing is left: no pause but the engine's own, no work in between. */
export async function drain(bench: Bench, backlog: Backlog, claim = claimLikeTheProduct): Promise<Drained> {
  const { claimers, cards, priority, seed = 1 } = backlog;
  const world = await createWorld({ table: await bench.newTable(), sleep: 'real', seed });
  const queue = await createQueue(world);
  const ids = await seedCards(world, queue.column, cards, (at) =>
    priority === undefined ? {} : { priority: priority(at) },
  );
  const ledger = new Ledger();
  const client = listeningClient(world, { onCall: ledger.add });
  const claimed: string[] = [];
  await Promise.all(
    Array.from({ length: claimers }, async (_, at) => {
      const claimer = { engine: instance(world, client), name: `worker-${at}` };
      for (;;) {
        const card = await unlessBusy(() => claim(world, queue, claimer));
        if (card === null) return;
        if (card !== 'busy') claimed.push(card);
      }
    }),
  );
  client.destroy();
  if (new Set(claimed).size !== cards || claimed.length !== cards) {
    throw new Error(
      `Of ${cards} cards ${claimed.length} were claimed, ${new Set(claimed).size} of them once`,
    );
  }
  return {
    backlog: ids,
    claimed,
    refusedPerClaim: ledger.refused / cards,
    readUnitsPerClaim: ledger.readUnits / cards,
  };
}

/** On a busy machine the emulator gives up waiting for its own lock; a worker asks again, as after any 503. */
async function unlessBusy<T>(claim: () => Promise<T>): Promise<T | 'busy'> {
  try {
    return await claim();
  } catch (error) {
    if (isProblem(error) && error.code === 'throttled') return 'busy';
    throw error;
  }
}

function instance(world: World, client: DynamoDBDocumentClient): Engine {
  return engineOn(world.engine(), client, world.table.tableName);
}

async function claimLikeTheProduct(world: World, queue: TestQueue, claimer: Claimer): Promise<string | null> {
  const { engine, name } = claimer;
  const input = { board: queue.board, column: queue.column.column_id };
  for (;;) {
    const { value } = await claimNext(engine, world.person(name), input, null);
    if (value.card !== null) return value.card.id;
    if (value.reason !== 'contended') return null;
  }
}

/** What a queue on DynamoDB does first of all: read the head, try it, on a loss read the head again. */
export async function claimHeadFirst(
  world: World,
  { column }: TestQueue,
  claimer: Claimer,
): Promise<string | null> {
  const { engine, name } = claimer;
  for (;;) {
    const { entries } = await readLane(engine, column.column_id, 'R', { limit: 1 });
    const [head] = entries.filter(isReady);
    if (head === undefined) return null;
    const grant = newGrant(engine, world.person(name), column, undefined);
    const taken = await takeEntry({ engine, column, grant, slot: null, record: null }, head);
    if (taken.kind === 'leased') return head.pk;
  }
}
