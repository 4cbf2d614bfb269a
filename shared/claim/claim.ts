/**
 * Claiming from a column: read the lanes, pick, write; on a lost race pause, read again and spread the next
 * pick wider. Nothing that cannot be offered stops what stands behind it.
 */
import type { Column } from '../columns.ts';
import { readJob } from '../jobs.ts';
import type { Engine } from '../engine.ts';
import type { Job } from '../store/items.ts';
import type { Put } from '../store/params.ts';
import {
  CLAIM_JITTER_MS,
  CLAIM_TRIES,
  FILTER_WINDOW,
  HOUSEKEEPING_PER_CALL,
  INPUT_CHECKS_PER_CALL,
  SLOT_TRIES,
} from '../policy.ts';
import { readHeld, type HeldSlots } from './adopt.ts';
import { takeCandidate, type Attempt } from './attempt.ts';
import { capsOf } from './caps.ts';
import { endExpired, promote, rearm } from './expire.ts';
import type { Grant } from './grant.ts';
import { readParts, type ReadParts } from './card-parts.ts';
import { checkInput } from './input.ts';
import { isTimer, readLanes, shardsLeft, shardsUpTo, someShards, together, type Lanes } from './lanes.ts';
import type { ColumnMemory } from './memory.ts';
import { candidates, isFiltered, isFor, pick, type Asker, type Candidate } from './pick.ts';
import { awaiting, beat, endedIn, listen } from './pulse.ts';
import { emptyReason, nextAvailableAt, type EmptyReason } from './reason.ts';
import { leaseExpired } from '../model/hold.ts';
import { ring } from '../timers/ring.ts';

export interface ClaimRequest {
  readonly column: Column;
  readonly asker: Asker;
  /** Cards wanted at most. */
  readonly want: number;
  readonly newGrant: () => Grant;
  /** Record of an idempotent claim's row, written with its lease; null without a key. */
  readonly record: ((row: number, cardId: string, run: number) => Put) | null;
  /** True when an earlier equal request is recorded; read beside the lanes. */
  readonly recorded: Promise<boolean>;
  /** The lanes' first reading, begun before the column was known. */
  readonly lanes: Promise<Lanes>;
}

/** A lease just taken, with what its worker must read. */
export interface Leased {
  readonly job: Job;
  readonly parts: ReadParts;
}

export type Claimed =
  | { readonly kind: 'leased'; readonly leases: readonly Leased[] }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'none'; readonly reason: EmptyReason; readonly next: number | null };

/** One call's tally: what it won, and its side work, so that every kind of it stays bounded. */
interface Tally {
  readonly leases: Leased[];
  /** All shards are read: some of them had too little for this asker. */
  everywhere: boolean;
  losses: number;
  slotsLost: number;
  housekeeping: number;
  inputChecks: number;
}

/** Leases the best eligible cards of a column, or says why there is none. */
export async function claim(engine: Engine, request: ClaimRequest): Promise<Claimed> {
  const memory = engine.claims.of(request.column.column_id);
  const tally: Tally = {
    leases: [],
    everywhere: false,
    losses: 0,
    slotsLost: 0,
    housekeeping: 0,
    inputChecks: 0,
  };
  let lanes = request.lanes;
  while (tally.losses < CLAIM_TRIES && tally.slotsLost < SLOT_TRIES) {
    const round = await claimRound(engine, request, memory, tally, lanes);
    if (round === 'repeated') return { kind: 'repeated' };
    if (round !== 'lost' && round.kind === 'elsewhere') {
      tally.everywhere = true;
      lanes = withRest(engine, request, round.lanes);
      continue;
    }
    if (tally.leases.length > 0) return { kind: 'leased', leases: tally.leases };
    if (round !== 'lost') return round;
    tally.losses += 1;
    await engine.deps.sleep(engine.deps.random() * CLAIM_JITTER_MS * tally.losses);
    lanes = laneReading(engine, request.column.column_id, request.asker, tally.everywhere);
  }
  return { kind: 'none', reason: 'contended', next: null };
}

/** The lanes as this asker must see them: as wide as contention asks, wider for a filter. */
export function laneReading(
  engine: Engine,
  columnId: string,
  asker: Pick<Asker, 'agent' | 'filter'>,
  everywhere = false,
): Promise<Lanes> {
  const memory = engine.claims.of(columnId);
  const begun = memory.takePrefetched(asker.agent, engine.deps.now());
  const filtered = isFiltered(asker.filter);
  if (begun !== null && !filtered) return begun;
  const shards = everywhere
    ? shardsUpTo(memory.shards)
    : someShards(memory.shards, () => engine.deps.random());
  return readLanes(engine, columnId, asker.agent, filtered ? FILTER_WINDOW : memory.page, shards);
}

/** A reading of some shards with all others beside it. */
async function withRest(engine: Engine, { column, asker }: ClaimRequest, read: Lanes): Promise<Lanes> {
  const { page } = engine.claims.of(column.column_id);
  const wide = isFiltered(asker.filter) ? FILTER_WINDOW : page;
  const rest = await readLanes(engine, column.column_id, asker.agent, wide, shardsLeft(column, read));
  return together([read, rest]);
}

type Nothing = Extract<Claimed, { kind: 'none' }>;
/** `elsewhere`: the shards that were read are used up, and the column has more. */
type Round = Nothing | { readonly kind: 'elsewhere'; readonly lanes: Lanes } | 'repeated' | 'lost';

/** One reading of the lanes and what can be made of it. Leases won are in the tally. */
async function claimRound(
  engine: Engine,
  request: ClaimRequest,
  memory: ColumnMemory,
  tally: Tally,
  reading: Promise<Lanes>,
): Promise<Round> {
  const { column, asker } = request;
  const caps = capsOf(column, asker.name);
  const [read, recorded, slots] = await Promise.all([
    reading,
    request.recorded,
    caps.length === 0 ? null : readHeld(engine, caps),
  ]);
  if (recorded) return 'repeated';
  if (column.paused) return { kind: 'none', reason: 'paused', next: null };
  const until = await listen(engine, column, endedIn(read, engine.deps.now()));
  return claimFrom(engine, request, memory, tally, until > 0 ? awaiting(read, until) : read, slots);
}

/** What can be made of one reading. */
async function claimFrom(
  engine: Engine,
  request: ClaimRequest,
  memory: ColumnMemory,
  tally: Tally,
  read: Lanes,
  slots: HeldSlots | null,
): Promise<Round> {
  const { column, asker } = request;
  const caps = capsOf(column, asker.name);
  const lanes = withoutGone(read, memory, engine.deps.now());
  const rang = await ringDue(engine, lanes, memory, tally);
  const withheld = await putWhereItBelongs(engine, request, lanes, tally);
  const pool = candidates(lanes, asker, memory, engine.deps.now());
  let movedOn = false;
  while (pool.length > 0 && tally.leases.length < request.want) {
    const first = tally.leases.length;
    // A repeat is told by the record of row 0, so no other row may be there without it.
    const oneByOne = caps.length > 0 || (request.record !== null && first === 0);
    const chosen = choose(engine, pool, memory, oneByOne ? 1 : request.want - first);
    const verdicts = await Promise.all(
      chosen.map(async (entry, at) => {
        const held = first === 0 ? slots : null;
        return tryEntry(engine, request, memory, tally, { entry, row: first + at, held });
      }),
    );
    if (verdicts.includes('repeated')) return 'repeated';
    if (verdicts.includes('full')) return { kind: 'none', reason: 'concurrency_limit', next: null };
    if (verdicts.includes('lost')) return 'lost';
    movedOn ||= verdicts.includes('next');
  }
  // What was put elsewhere on the way is where it belongs now: what is left is told from a fresh reading.
  if (rang || movedOn) return 'lost';
  const wants = tally.leases.length < request.want;
  if (wants && shardsLeft(column, lanes).length > 0) return { kind: 'elsewhere', lanes: read };
  if (onlyStale(lanes, memory)) return 'lost';
  // Who found nothing has the time to leave the pulse; who won something costs what it did.
  const [answer] = await Promise.all([
    emptyAnswer(engine, request, lanes, withheld),
    tally.leases.length === 0 ? beat(engine, column) : null,
  ]);
  return answer;
}

/**
 * The lanes without the ready cards that this instance has seen taken. A lagging index may show nothing else: the
 * next reading looks as far beyond them.
 */
function withoutGone(lanes: Lanes, memory: ColumnMemory, now: number): Lanes {
  const ready = lanes.ready.filter((entry) => !memory.isGone(entry, now));
  memory.staleShown = lanes.ready.length - ready.length;
  return { ...lanes, ready };
}

/** True when stale entries hid whatever stands behind them. */
const onlyStale = (lanes: Lanes, memory: ColumnMemory): boolean =>
  lanes.ready.length === 0 && memory.staleShown > 0 && lanes.cut;

/** Takes `count` entries out of the pool, in order when calm and spread when contended. */
function choose(engine: Engine, pool: Candidate[], memory: ColumnMemory, count: number): Candidate[] {
  const chosen: Candidate[] = [];
  while (chosen.length < count) {
    const entry = pick(pool, memory.window, engine.deps.random());
    if (entry === undefined) break;
    pool.splice(pool.indexOf(entry), 1);
    chosen.push(entry);
  }
  return chosen;
}

async function emptyAnswer(
  engine: Engine,
  request: ClaimRequest,
  lanes: Lanes,
  withheld: boolean,
): Promise<Nothing> {
  const next = nextAvailableAt(lanes, engine.deps.now());
  const reason = await emptyReason(engine, request.column.column_id, lanes, withheld);
  return { kind: 'none', reason, next };
}

type Verdict = 'leased' | 'repeated' | 'lost' | 'full' | 'next';

/** Tries one entry and draws the consequence: remembered, counted, or passed by for the next. */
async function tryEntry(
  engine: Engine,
  request: ClaimRequest,
  memory: ColumnMemory,
  tally: Tally,
  attempt: Attempt,
): Promise<Verdict> {
  const { entry } = attempt;
  for (;;) {
    const taken = await takeCandidate(engine, request, attempt);
    if (taken.kind === 'check_input') {
      tally.inputChecks += 1;
      if (tally.inputChecks > INPUT_CHECKS_PER_CALL) return 'next';
      if (await checkInput(engine, request.column, taken.job)) continue;
      return 'next';
    }
    if (taken.kind === 'full' || taken.kind === 'repeated') return taken.kind;
    if (taken.kind === 'slot_lost') {
      tally.slotsLost += 1;
      return 'lost';
    }
    memory.sawGone(entry, engine.deps.now());
    if (taken.kind === 'set_aside') return 'next';
    if (taken.kind === 'lost') {
      memory.lost();
      return 'lost';
    }
    memory.won();
    const parts = taken.parts ?? (await readParts(engine, entry.pk, entry.run));
    if (parts === undefined) return 'next';
    tally.leases.push({ job: taken.job, parts });
    return 'leased';
  }
}

/** Timers that are due do what they are for. True when there were any: the lanes may show another card by now. */
async function ringDue(engine: Engine, lanes: Lanes, memory: ColumnMemory, tally: Tally): Promise<boolean> {
  const now = engine.deps.now();
  const due = lanes.timed.filter(
    (entry) => isTimer(entry) && entry.at.due <= now && !memory.isGone(entry, now),
  );
  const chosen = due.slice(0, Math.max(0, HOUSEKEEPING_PER_CALL - tally.housekeeping));
  tally.housekeeping += chosen.length;
  await Promise.all(
    chosen.map(async (entry) => {
      // One that cannot do its work is the reaper's to report; it must not keep the claim from a card.
      if (await ring(engine, entry).catch(() => true)) memory.sawGone(entry, now);
    }),
  );
  return chosen.length > 0;
}

/**
 * Due entries that this asker may not have, put where they belong: left there they would hide what is due
 * behind them for as long as the reaper is off. True when there were any.
 */
async function putWhereItBelongs(
  engine: Engine,
  request: ClaimRequest,
  lanes: Lanes,
  tally: Tally,
): Promise<boolean> {
  const now = engine.deps.now();
  const foreign = lanes.timed.filter(
    (entry) => entry.at.due <= now && !isTimer(entry) && !isFor(entry, request.asker),
  );
  const room = Math.max(0, HOUSEKEEPING_PER_CALL - tally.housekeeping);
  const chosen = foreign.slice(0, room);
  tally.housekeeping += chosen.length;
  await Promise.all(
    chosen.map(async (entry) => {
      const job = await readJob(engine, entry.pk).catch(() => undefined);
      if (job === undefined || job.run !== entry.run) return;
      if (job.state === 'waiting') await promote(engine, job, request.column);
      else if (leaseExpired(job, now)) await endExpired(engine, job, request.column);
      else if (job.state === 'leased') await rearm(engine, job);
    }),
  );
  return foreign.length > 0;
}
