/** Limits and pauses: no claim beyond what any contract allowed that a claimer may still have remembered. */
import type { ColumnItem, Job } from '../../../shared/store/items.ts';
import { CONTRACT_CACHE_MS } from '../../../shared/policy.ts';
import { namedSlots, scopeOf } from '../../../shared/claim/caps.ts';
import { parseStoredContract } from '../../../shared/contract/settings.ts';
import type { Recording } from '../recording.ts';
import { isClaimOp } from './job-log.ts';
import type { Violation } from './violation.ts';

/** From a column's reading to the claim's write, when nothing goes wrong on the way. */
const DECIDING_MS = 1_000;
/** The SDK's tries of two seconds, a few calls of them one after the other. */
const RETRIES_MS = 30_000;
const FREEZE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Version {
  readonly at: number;
  readonly column: number | null;
  readonly agent: number | null;
  readonly board: number | null;
  readonly paused: boolean;
}

export function checkLimits(recording: Recording): Violation[] {
  const window = windowOf(recording);
  const versions = new Map<string, Version[]>();
  const leased = new Map<string, Job>();
  const slots = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { at, key, after: item } of recording.changes) {
    if (key.sk === 'COLUMN' && item !== undefined) {
      const column = item as unknown as ColumnItem;
      versions.set(key.pk, [...(versions.get(key.pk) ?? []), versionOf(column, at)]);
    }
    if (key.sk !== 'JOB') continue;
    const job = item as unknown as Job | undefined;
    const before = leased.get(key.pk);
    if (job?.state === 'leased') leased.set(key.pk, job);
    else leased.delete(key.pk);
    for (const what of slotFaults(slots, before, job)) violations.push({ rule: 'S6', at, what });
    if (job?.state !== 'leased' || before?.run === job.run) continue;
    if (!isClaimOp(job.op) && job.op !== 'resume') continue;
    const inForce = (versions.get(job.column_id) ?? []).filter(
      (version, place, all) =>
        (all[place + 1]?.at ?? Number.MAX_SAFE_INTEGER) >= at - window && version.at <= at,
    );
    for (const [rule, what] of faultsOf(job, inForce, leased)) violations.push({ rule, at, what });
  }
  return violations;
}

/** How long ago the contract may have been read that a claim was decided on. */
function windowOf({ configuration }: Recording): number {
  const { network, freezeEveryMs, outageEveryMs, spellEveryMs, nightHours, skewMs } = configuration;
  const faulty =
    outageEveryMs > 0 || spellEveryMs > 0 || Object.values(network).some((rate: number) => rate > 0);
  return (
    // A clock that is put back makes what is remembered younger.
    CONTRACT_CACHE_MS +
    DECIDING_MS +
    2 * skewMs +
    nightHours * HOUR_MS +
    (faulty ? RETRIES_MS : 0) +
    (freezeEveryMs > 0 ? FREEZE_MS : 0)
  );
}

function versionOf(column: ColumnItem, at: number): Version {
  const contract = parseStoredContract(column.contract);
  return {
    at,
    column: contract.concurrency_limit,
    agent: contract.max_per_assignee,
    board: column.board_limit ?? null,
    paused: column.paused === true,
  };
}

function faultsOf(
  job: Job,
  inForce: readonly Version[],
  leased: ReadonlyMap<string, Job>,
): [string, string][] {
  const held = [...leased.values()];
  const faults: [string, string][] = [];
  const inColumn = held.filter(({ column_id }) => column_id === job.column_id);
  const counts = {
    column: inColumn.length,
    agent: inColumn.filter(({ agent }) => agent === job.agent).length,
    board: held.length,
  };
  for (const kind of ['column', 'agent', 'board'] as const) {
    const limits = inForce.map((version) => version[kind] ?? Number.MAX_SAFE_INTEGER);
    const most = Math.max(...limits);
    // A takeover keeps the number of leases as it is, whatever the limit has become.
    if (counts[kind] > most && job.op !== 'takeover' && job.op !== 'supersede') {
      faults.push(['S5', `${job.pk} is lease ${counts[kind]} of ${most} (${kind})`]);
    }
  }
  if (inForce.length > 0 && inForce.every(({ paused }) => paused)) {
    faults.push(['S13', `${job.pk} was given in a paused column`]);
  }
  return faults;
}

/** No two leases name one slot. */
function slotFaults(slots: Map<string, string>, before: Job | undefined, after: Job | undefined): string[] {
  if (before !== undefined) {
    for (const slot of namedSlots(before)) {
      const name = `${scopeOf(slot.kind, before)} ${slot.number}`;
      if (slots.get(name) === before.pk) slots.delete(name);
    }
  }
  if (after?.state !== 'leased') return [];
  return namedSlots(after).flatMap((slot) => {
    const name = `${scopeOf(slot.kind, after)} ${slot.number}`;
    const holder = slots.get(name);
    slots.set(name, after.pk);
    return holder === undefined || holder === after.pk ? [] : [`${after.pk} and ${holder} hold slot ${name}`];
  });
}
