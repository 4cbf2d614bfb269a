import { expect, it } from 'vitest';
import { Counters } from './counters.ts';
import { runSeed } from './run-seed.ts';

const SEEDS = 12;

it('a seed reproduces its run exactly, and another seed is another run', async () => {
  const [first, again, other] = [await runSeed('once'), await runSeed('once'), await runSeed('other')];
  expect(again).toEqual(first);
  expect(other.hash).not.toBe(first.hash);
});

it(`no promise is broken in ${SEEDS} runs with faults of every kind, and scary states are reached`, async () => {
  const counters = new Counters();
  let operations = 0;
  for (let number = 0; number < SEEDS; number += 1) {
    const told = await runSeed(`test-${number}`);
    expect({ seed: told.seed, violations: told.violations }).toEqual({ seed: told.seed, violations: [] });
    operations += told.operations;
    for (const [name, count] of told.counters) counters.add(name, count);
  }
  expect(operations).toBeGreaterThan(SEEDS * 100);
  for (const name of ['op: supersede', 'op: resume', 'lease lost', 'fault: conflict', 'stale index entry']) {
    expect(counters.of(name), name).toBeGreaterThan(0);
  }
});
