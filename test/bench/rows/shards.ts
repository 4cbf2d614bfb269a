/** What a column with shards costs: a claim, a poll that is given nothing, and moving a card to another shard. */
import { tendShards } from '../../../shared/claim/reshard.ts';
import { toColumn } from '../../../shared/columns.ts';
import { mustClaim, whyNothing } from '../../support/worker.ts';
import { seedCards } from '../../support/seed.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import { createScene } from '../support/scene.ts';

const SHARDS = 8;
const CARDS = 400;
const MOVED_FROM = 50;
const SETTLE_MS = 61_000;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

export async function shardRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench, { shards: SHARDS });
  const { world, engine, column } = scene;
  const callers = { unnamed: world.person('anonymous'), named: world.agent('ada') };
  const polls = {
    unnamed: await scene.cost(() => whyNothing(engine, callers.unnamed, scene)),
    named: await scene.cost(() => whyNothing(engine, callers.named, scene)),
  };
  await seedCards(world, column, CARDS);
  const claims = {
    unnamed: await scene.cost(() => mustClaim(engine, callers.unnamed, scene)),
    named: await scene.cost(() => mustClaim(engine, callers.named, scene)),
  };
  return [
    atMost(`claim of ${SHARDS} shards, round trips: warm`, 2, claims.named.rounds),
    atMost(`claim of ${SHARDS} shards, write units`, 3, claims.named.writeUnits),
    atMost(`claim of ${SHARDS} shards, read units: no name`, 5.5, claims.unnamed.readUnits),
    atMost(`claim of ${SHARDS} shards, read units: named`, 6.5, claims.named.readUnits),
    atMost('drained-queue poll, read units per shard: no name', 1.5, polls.unnamed.readUnits / SHARDS),
    atMost('drained-queue poll, read units per shard: named', 2, polls.named.readUnits / SHARDS),
    atMost('drained-queue poll of shards, round trips', 3, polls.named.rounds),
    atMost('re-sharding, write units per card moved', 3, await reshardUnits(bench)),
  ];
}

/** Cards of one lane, once the column has more. */
async function reshardUnits(bench: Bench): Promise<number> {
  const scene = await createScene(bench);
  await seedCards(scene.world, scene.column, MOVED_FROM);
  const { contract, item } = scene.column;
  const wider = { ...item, contract: { ...item.contract, ...contract, shards: SHARDS } };
  const column = toColumn({ ...wider, reshard_at: scene.world.clock.now() + SETTLE_MS, shards_ever: SHARDS });
  const { value, ...cost } = await scene.cost(() => tendShards(scene.engine, column, FOR_EVER));
  return cost.writeUnits / value;
}
