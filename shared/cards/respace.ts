/**
 * Making room: each drop at one place makes the rank there longer, so past a length the cards around it get new
 * ranks, evenly spread. Their order stays, so this is no transition and makes no event.
 */
import type { Engine } from '../engine.ts';
import { parseJob, writeChange } from '../jobs.ts';
import { inLane } from '../model/settle.ts';
import { RESPACE_NEIGHBOURS } from '../policy.ts';
import { spreadRanks } from '../rank.ts';
import type { Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { levelOf, neighbours, rankBelow, rankBeside, type Neighbour, type Side } from './neighbours.ts';

const EACH_SIDE = RESPACE_NEIGHBOURS / 2;

/** Re-spaces the cards around `other` and answers a rank beside it for `job`. */
export async function respaced(engine: Engine, job: Job, other: Job, side: Side): Promise<string> {
  const [above, below] = await Promise.all([
    neighbours(engine, other, 'before', EACH_SIDE + 1, job.pk),
    neighbours(engine, other, 'after', EACH_SIDE + 1, job.pk),
  ]);
  const group: Neighbour[] = [
    ...above.slice(0, EACH_SIDE).toReversed(),
    { pk: other.pk, rank: other.rank },
    ...below.slice(0, EACH_SIDE),
  ];
  const last = group.at(-1)?.rank ?? other.rank;
  const top = above[EACH_SIDE]?.rank ?? '';
  const bottom = below[EACH_SIDE]?.rank ?? rankBelow(engine.deps, last);
  const ranks = spreadRanks(top, bottom, group.length);
  await rewrite(engine, other, group, ranks);
  const at = group.findIndex(({ pk }) => pk === other.pk);
  const beside = side === 'before' ? ranks[at - 1] : ranks[at + 1];
  const edge = side === 'before' ? top : bottom;
  return rankBeside(engine.deps, ranks[at] ?? other.rank, side, beside ?? (edge === '' ? undefined : edge));
}

/** One that has left the place since it was read is passed by: it has another rank now, or will get one. */
async function rewrite(
  engine: Engine,
  other: Job,
  group: readonly Neighbour[],
  ranks: readonly string[],
): Promise<void> {
  const level = levelOf(other);
  const items = await engine.store.batchGet(group.map(({ pk }) => jobKey(pk)));
  await Promise.all(
    group.map(async ({ pk, rank: former }, at) => {
      const item = items[at];
      const rank = ranks[at];
      if (item === undefined || rank === undefined) return;
      const before = parseJob(item, pk);
      const { kind, prefix } = levelOf(before);
      const stays = before.column_id === other.column_id && kind === level.kind && prefix === level.prefix;
      if (!stays || before.rank !== former) return;
      const after = before.state === 'leased' ? { ...before, rank } : inLane({ ...before, rank });
      await writeChange(engine, { op: 'respace', before, after, events: [] });
    }),
  );
}
