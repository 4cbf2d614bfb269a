import { describe, expect, test } from 'vitest';
import { checksOf, totalsOf, type AuditedCard } from '../../demo/fleet/audit.ts';

type RunOutcome = AuditedCard['runs'][number]['outcome'];

/** A card whose runs ended so, one attempt each; refunded where the outcome says `refunded`. */
function card(state: 'done' | 'dead' | 'ready', outcomes: readonly (RunOutcome | 'refunded')[]): AuditedCard {
  let attempt = 0;
  const runs = outcomes.map((outcome, index) => {
    const refunded = outcome === 'refunded';
    const run = {
      number: index + 1,
      attempt: attempt + 1,
      outcome: refunded ? ('failed' as const) : outcome,
      refunded,
    };
    if (!refunded) attempt += 1;
    return run;
  });
  return { card: { key: 'DEM-1', state, attempt }, runs };
}

/** Names of the checks that failed. */
function failed(audited: readonly AuditedCard[], kills = 0, cards = audited.length): string[] {
  return checksOf(audited, { cards, kills })
    .filter((check) => !check.passed)
    .map((check) => check.name);
}

const GOOD = [
  card('done', ['completed']),
  card('done', ['expired', 'completed']),
  card('done', ['failed', 'refunded', 'completed']),
  card('dead', ['failed', 'expired']),
];

describe('the checks of a run', () => {
  test('all hold for cards that were done once or died', () => {
    expect(failed(GOOD, 1)).toEqual([]);
  });

  test('miss a card that is gone', () => {
    expect(failed(GOOD, 0, 5)).toEqual(['every card is there']);
  });

  test('see a card that is still open', () => {
    expect(failed([card('ready', ['failed'])])).toEqual(['every card is done or dead']);
  });

  test('see an attempt that was burned without a lease, and one that was not counted', () => {
    const [dead, done] = [card('dead', ['failed']), card('done', ['completed'])];
    const burned = { ...dead, card: { ...dead.card, attempt: 2 } };
    const free = { ...done, runs: done.runs.map((run) => ({ ...run, attempt: 0 })) };
    expect(failed([burned])).toEqual(['attempts used equal leases issued less refunds']);
    expect(failed([free])).toEqual(['attempts used equal leases issued less refunds']);
  });

  test('see two accepted completions', () => {
    expect(failed([card('done', ['completed', 'completed'])])).toContain(
      'no card has two accepted completions',
    );
  });

  test('see a done card that nobody completed', () => {
    expect(failed([card('done', ['failed'])])).toEqual(['every done card was completed, and no dead one']);
  });

  test('see a lease number given twice', () => {
    const twice = card('done', ['expired', 'completed']);
    const runs = twice.runs.map((run) => ({ ...run, number: 1 }));
    expect(failed([{ ...twice, runs }])).toEqual(['no lease number was given twice, and none is missing']);
  });

  test('see fewer than two recoveries for three kills', () => {
    const recovered = card('done', ['expired', 'completed']);
    expect(failed([recovered], 3)).toEqual(['at least 2 recoveries were seen']);
    expect(failed([recovered, recovered], 3)).toEqual([]);
  });

  test('ask for twenty recoveries of thirty kills', () => {
    expect(checksOf([], { cards: 0, kills: 30 }).at(-1)?.name).toBe('at least 20 recoveries were seen');
  });

  test('name the cards that do not fit, with their history', () => {
    const check = checksOf([card('ready', ['expired', 'refunded'])], { cards: 1, kills: 0 })[1];
    expect(check?.found).toBe('not so: DEM-1 ready, attempts 1, runs: expired, failed (refunded)');
  });
});

describe('the totals of a run', () => {
  test('count leases, endings, retries and recoveries', () => {
    expect(totalsOf(GOOD)).toEqual({
      cards: 4,
      claimed: 8,
      completed: 3,
      failed: 3,
      retried: 3,
      recovered: 1,
      deadLettered: 1,
      refunded: 1,
      attemptsUsed: 7,
    });
  });

  test('do not call the loss of the last attempt a recovery', () => {
    expect(totalsOf([card('dead', ['expired'])]).recovered).toBe(0);
  });
});
