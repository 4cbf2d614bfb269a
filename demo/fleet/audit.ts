/** What the API says afterwards about every card and every run, and the checks on it. Pure. */
import type { CardSummary, Run } from '../../client/index.ts';

export interface AuditedCard {
  readonly card: Pick<CardSummary, 'key' | 'state' | 'attempt'>;
  /** Oldest first. */
  readonly runs: readonly Pick<Run, 'number' | 'attempt' | 'outcome' | 'refunded'>[];
}

export interface Totals {
  readonly cards: number;
  readonly claimed: number;
  readonly completed: number;
  readonly failed: number;
  /** Failed attempts after which the card was tried again. */
  readonly retried: number;
  /** Leases that ran out and whose card another claim took. */
  readonly recovered: number;
  readonly deadLettered: number;
  readonly refunded: number;
  readonly attemptsUsed: number;
}

export interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** What was found; on failure, with the first cards that do not fit. */
  readonly found: string;
}

/** Of 30 kills at least 20 recoveries: a killed worker may just have finished, or its card's last attempt be gone. */
const RECOVERIES_PER_KILL = 2 / 3;
/** Cards named in a failed check. */
const NAMED = 5;

export function totalsOf(audited: readonly AuditedCard[]): Totals {
  const runs = audited.flatMap((each) => each.runs);
  const followed = audited.flatMap((each) => each.runs.slice(0, -1));
  const count = (of: readonly { outcome: unknown }[], outcome: string): number =>
    of.filter((run) => run.outcome === outcome).length;
  return {
    cards: audited.length,
    claimed: runs.length,
    completed: count(runs, 'completed'),
    failed: count(runs, 'failed'),
    retried: count(followed, 'failed'),
    recovered: count(followed, 'expired'),
    deadLettered: audited.filter((each) => each.card.state === 'dead').length,
    refunded: runs.filter((run) => run.refunded).length,
    attemptsUsed: audited.reduce((sum, each) => sum + attemptsUsed(each), 0),
  };
}

export function checksOf(
  audited: readonly AuditedCard[],
  expected: { readonly cards: number; readonly kills: number },
): Check[] {
  const totals = totalsOf(audited);
  const least = Math.floor(expected.kills * RECOVERIES_PER_KILL);
  return [
    {
      name: 'every card is there',
      passed: totals.cards === expected.cards,
      found: `${totals.cards} of ${expected.cards}`,
    },
    cardCheck('every card is done or dead', audited, ({ card }) => ['done', 'dead'].includes(card.state)),
    cardCheck('attempts used equal leases issued less refunds', audited, (each) => {
      return attemptsUsed(each) === each.runs.filter((run) => !run.refunded).length;
    }),
    cardCheck('no lease number was given twice, and none is missing', audited, ({ runs }) =>
      runs.every((run, index) => run.number === index + 1),
    ),
    cardCheck('no card has two accepted completions', audited, ({ runs }) => completions(runs) <= 1),
    cardCheck('every done card was completed, and no dead one', audited, ({ card, runs }) => {
      return completions(runs) === (card.state === 'done' ? 1 : 0);
    }),
    {
      name: `at least ${least} recoveries were seen`,
      passed: totals.recovered >= least,
      found: `${totals.recovered}`,
    },
  ];
}

/**
 * What the attempt counter says. A done card has left its queue and counts anew, so there it is the number of the
 * last lease's attempt, less one when that was given back.
 */
function attemptsUsed({ card, runs }: AuditedCard): number {
  const last = runs.at(-1);
  if (card.state !== 'done') return card.attempt;
  return last === undefined ? 0 : last.attempt - (last.refunded ? 1 : 0);
}

function completions(runs: AuditedCard['runs']): number {
  return runs.filter((run) => run.outcome === 'completed').length;
}

function cardCheck(
  name: string,
  audited: readonly AuditedCard[],
  holds: (card: AuditedCard) => boolean,
): Check {
  const broken = audited.filter((each) => !holds(each));
  const passed = broken.length === 0;
  return { name, passed, found: passed ? `all ${audited.length}` : `not so: ${described(broken)}` };
}

function described(broken: readonly AuditedCard[]): string {
  const named = broken.slice(0, NAMED).map(({ card, runs }) => {
    const history = runs.map((run) => `${run.outcome ?? 'open'}${run.refunded ? ' (refunded)' : ''}`);
    return `${card.key} ${card.state}, attempts ${attemptsUsed({ card, runs })}, runs: ${history.join(', ') || 'none'}`;
  });
  const more = broken.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
