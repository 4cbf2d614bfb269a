/** Lost races and claims per second in the simulator, against a head-first claimer and a fixed window. */
import { atMost, reported, type Figure } from '../support/figure.ts';
import { simulateCrowd, type Crowd } from '../support/simulated-claimers.ts';

const MANY = 64;
/** Long enough to tell what a claimer that never gets anywhere does in a second. */
const LIMIT_MS = 20_000;

const RACES: readonly (readonly [what: string, most: number, crowd: Crowd])[] = [
  ['8 claimers, 1,000 cards', 0.08, { claimers: 8, cards: 1_000, lagMs: 0 }],
  ['64 claimers, 1,000 cards', 0.4, { claimers: MANY, cards: 1_000, lagMs: 0 }],
  ['64 claimers, 5,000 cards', 0.25, { claimers: MANY, cards: 5_000, lagMs: 0 }],
  ['64 claimers, 5,000 cards, 20 ms lag', 0.6, { claimers: MANY, cards: 5_000, lagMs: 20 }],
  ['64 workers of 5 s a card, 50 ms lag', 0.08, { claimers: MANY, cards: 1_000, lagMs: 50, workMs: 5_000 }],
];

const LAGS = [0, 20, 200];
const SHARDS = [1, 4, 16];
const WINDOWS = [25, 100];

export async function simulatedRows(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, most, crowd] of RACES) {
    const { lostPerClaim } = await simulateCrowd(crowd);
    figures.push(atMost(`simulated, lost races per claim: ${what}`, most, lostPerClaim));
  }
  for (const lagMs of LAGS) {
    const crowd = { claimers: MANY, cards: 2_000, lagMs, limitMs: LIMIT_MS };
    const [ours, fixed, head] = [
      await simulateCrowd(crowd),
      await simulateCrowd({ ...crowd, window: 25 }),
      await simulateCrowd({ ...crowd, window: 1 }),
    ];
    const rate = ({ claimsPerSecond }: typeof ours) => Math.round(claimsPerSecond);
    figures.push(
      reported(
        `simulated, claims per second: 64 claimers, ${lagMs} ms lag`,
        rate(ours),
        `fixed window of 25: ${rate(fixed)}, head first: ${rate(head)}`,
      ),
    );
  }
  for (const shards of SHARDS) figures.push(await shardsFigure(shards));
  return figures;
}

/** What shards are for: with an index that lags by t, no claimer gets more than some shards x window / t claims a second. */
async function shardsFigure(shards: number): Promise<Figure> {
  const crowd = { claimers: MANY, cards: 4_000, lagMs: 200, limitMs: LIMIT_MS, shards };
  const ours = await simulateCrowd(crowd);
  const fixed: string[] = [];
  for (const window of WINDOWS) {
    const { claimsPerSecond } = await simulateCrowd({ ...crowd, window });
    fixed.push(`of ${window}: ${Math.round(claimsPerSecond)}`);
  }
  const lost = ours.lostPerClaim.toFixed(2);
  return reported(
    `simulated, claims per second: 64 claimers, 4,000 cards, 200 ms lag, ${shards} shard${shards === 1 ? '' : 's'}`,
    Math.round(ours.claimsPerSecond),
    `${lost} lost races per claim; fixed windows, ${fixed.join(', ')}`,
  );
}
