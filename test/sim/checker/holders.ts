/** What callers heard about leases: one live token per card, and nothing done by a dead one. */
import type { Job } from '../../../shared/store/items.ts';
import { runKey } from '../../../shared/store/keys.ts';
import type { Call, GivenLease, Recording } from '../recording.ts';
import { byCard, jobAt, jobChanges } from './job-log.ts';
import type { Violation } from './violation.ts';

/** Closing verbs, by the op that a run remembers: repeated with its token, each is answered again. */
const CLOSING = new Set(['complete', 'fail', 'release', 'block', 'request_review', 'request_changes']);

export function checkHolders(recording: Recording): Violation[] {
  return [
    ...checkTokens(recording.calls),
    ...checkZombies(recording),
    ...checkRenewals(recording),
    ...checkEffects(recording),
  ];
}

/** A fence is given once: whoever is told of it again is told the same token, under the same key. */
export function checkTokens(calls: readonly Call[]): Violation[] {
  const known = new Map<string, GivenLease & { key: string | undefined }>();
  const violations: Violation[] = [];
  for (const call of calls) {
    for (const lease of call.leases ?? []) {
      const name = `${lease.cardId} run ${lease.run}`;
      const before = known.get(name);
      if (before === undefined) known.set(name, { ...lease, key: call.key });
      else if (before.token !== lease.token || before.key !== call.key || call.key === undefined) {
        violations.push({ rule: 'S4', at: call.invoked, what: `${name} was given twice` });
      }
    }
  }
  return violations;
}

function checkZombies(recording: Recording): Violation[] {
  const log = byCard(jobChanges(recording));
  const ended = endings(recording);
  return recording.calls.flatMap((call) => {
    const { cardId, run, verb, outcome, invoked } = call;
    if (cardId === undefined || run === undefined || outcome !== 'ok') return [];
    const job = jobAt(log.get(cardId), invoked);
    if (job !== undefined && isAlive(job, run)) return [];
    const closed = ended.get(`${cardId} ${run}`);
    const again = CLOSING.has(verb) && closed?.verb === verb && closed.at <= invoked;
    return again
      ? []
      : [
          {
            rule: 'S3',
            at: invoked,
            what: `${call.actor} did '${verb}' to ${cardId} with the dead token of run ${run}`,
          },
        ];
  });
}

const isAlive = (job: Job, run: number): boolean => job.run === run && job.nonce !== undefined;

/** When, and by which verb, each run was closed by its own holder. */
function endings(recording: Recording): Map<string, { at: number; verb: string }> {
  const ended = new Map<string, { at: number; verb: string }>();
  for (const { at, key, after } of recording.changes) {
    if (!key.sk.startsWith('RUN#') || after?.['outcome'] === undefined) continue;
    const name = `${key.pk} ${Number(after['number'])}`;
    const verb = String(after['verb']);
    if (ended.get(name)?.verb !== verb) ended.set(name, { at, verb });
  }
  return ended;
}

/** Who was told that its run is closed finds it closed, by its verb. */
export function checkEffects(recording: Pick<Recording, 'calls' | 'items'>): Violation[] {
  const items = new Map(
    recording.items.map((item) => [`${String(item['pk'])}\n${String(item['sk'])}`, item]),
  );
  const gone = new Set(
    recording.items.filter((item) => item['state'] === 'deleted').map((item) => item['pk']),
  );
  return recording.calls.flatMap(({ cardId, run, verb, outcome, invoked }) => {
    if (cardId === undefined || run === undefined || outcome !== 'ok' || !CLOSING.has(verb)) return [];
    const { pk, sk } = runKey(cardId, run);
    if (gone.has(cardId) || items.get(`${pk}\n${sk}`)?.['verb'] === verb) return [];
    return [
      { rule: 'S2', at: invoked, what: `${cardId} run ${run}: '${verb}' was answered, and is not there` },
    ];
  });
}

/** A heartbeat that was answered has moved the deadline: by a ttl from when it was sent, or to the end of its life. */
function checkRenewals(recording: Recording): Violation[] {
  const log = byCard(jobChanges(recording));
  const slack = 2 * recording.configuration.skewMs + 1;
  return recording.calls.flatMap(({ cardId, run, verb, outcome, invoked, answered = 0, actor }) => {
    if (cardId === undefined || verb !== 'renew' || outcome !== 'ok') return [];
    const changes = log.get(cardId) ?? [];
    const seen = changes.filter(
      ({ at }, place) => at <= answered && (changes[place + 1]?.at ?? Number.MAX_SAFE_INTEGER) >= invoked,
    );
    const isMoved = seen.some(({ after }) => {
      if (after === undefined || after.run !== run || after.state !== 'leased') return false;
      const due = Math.min(invoked - slack + (after.ttl_ms ?? 0), after.max_at ?? Number.MAX_SAFE_INTEGER);
      return (after.expires_at ?? 0) >= due;
    });
    if (isMoved) return [];
    return [{ rule: 'S1', at: invoked, what: `${actor} was told that ${cardId} run ${run} is renewed` }];
  });
}
