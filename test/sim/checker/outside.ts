/**
 * What can be checked of a real installation: what callers heard, and a full scan of the table after all has come to
 * rest. Every change between is missing; the runs, which are kept, tell of them.
 */
import type { Item } from '../../../shared/store/params.ts';
import { EVENT_PREFIX, RUN_PREFIX } from '../../../shared/store/keys.ts';
import type { Recording } from '../recording.ts';
import { checkCreated, checkKeys } from './conservation.ts';
import { checkEffects, checkTokens } from './holders.ts';
import { checkRest } from './rest.ts';
import type { Violation } from './violation.ts';

export type Outside = Pick<Recording, 'calls' | 'items' | 'lanes' | 'endedAt' | 'drained'>;

export function checkOutside(recording: Outside): Violation[] {
  return [
    ...checkTokens(recording.calls),
    ...checkKeys(recording.calls),
    ...checkCreated(recording),
    ...checkEffects(recording),
    ...checkRest(recording),
    ...checkCards(recording),
    ...recording.calls.flatMap(({ outcome, code, invoked, actor, verb }) =>
      outcome === 'failed' ? [{ rule: 'S18', at: invoked, what: `${actor} ${verb}: ${code ?? ''}` }] : [],
    ),
  ];
}

function checkCards({ items, endedAt }: Outside): Violation[] {
  const ofCards = Map.groupBy(items, (item) => String(item['pk']));
  return [...ofCards.values()].flatMap((own) => {
    const job = own.find((item) => item['sk'] === 'JOB');
    if (job === undefined || job['state'] === 'deleted') return [];
    return [...runFaults(job, own), ...eventFaults(job, own)].map(([rule, what]) => ({
      rule,
      at: endedAt,
      what: `${String(job['pk'])}: ${what}`,
    }));
  });
}

type Fault = readonly [rule: string, what: string];
const of = (own: readonly Item[], prefix: string): Item[] =>
  own
    .filter((item) => String(item['sk']).startsWith(prefix))
    .toSorted((a, b) => (String(a['sk']) < String(b['sk']) ? -1 : 1));

/** Each hold has its run, one after the other in time, and a card that is done was completed once. */
function runFaults(job: Item, own: readonly Item[]): Fault[] {
  const runs = of(own, RUN_PREFIX);
  const held = job['state'] === 'leased' ? 1 : 0;
  const faults: Fault[] = [];
  const ended = runs.filter((run) => run['outcome'] !== undefined);
  if (ended.length !== Number(job['run']) - held)
    faults.push(['S2', `${ended.length} of ${String(job['run'])} runs ended`]);
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1];
    // A late completion ends its run after the card was given back, and only while nobody had it.
    if (next === undefined || run['late'] === true) continue;
    if (Number(next['started_at']) < Number(run['ended_at']))
      faults.push(['S1', `runs ${at + 1} and ${at + 2} overlap`]);
  }
  const completed = runs.filter((run) => run['outcome'] === 'completed');
  if (job['state'] === 'done' && completed.length !== 1)
    faults.push(['S2', `completed ${completed.length} times`]);
  return faults;
}

/** The log has each event of the card, from the first to the last. */
function eventFaults(job: Item, own: readonly Item[]): Fault[] {
  const events = of(own, EVENT_PREFIX);
  const due = Number(job['sequence']);
  return events.length === due ? [] : [['S14', `${events.length} of ${due} events are in the log`]];
}
