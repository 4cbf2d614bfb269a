/**
 * Telling an outage from dead workers. An instance that has read a column's lanes within a lease knows that leases which
 * end now end because nobody renews them. One that has not asks the column's PULSE, where polls that find nothing and
 * the reaper leave the time. Is that older than a lease too, and many leases have ended at once, then nobody could renew:
 * holders have half a lease to be heard before anybody supersedes or expires them.
 */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { OUTAGE_LEASES, PULSE_EVERY_MS, PULSE_SHARE } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { LAYOUT_VERSION, PulseSchema, type PulseItem } from '../store/items.ts';
import { pulseKey } from '../store/keys.ts';
import { SECOND_MS } from '../units.ts';
import type { Lanes } from './lanes.ts';

const ttlOf = ({ contract }: Column): number => contract.lease_ttl_seconds * SECOND_MS;

/** How many held cards of a reading have their time behind them. */
export const endedIn = ({ timed }: Pick<Lanes, 'timed'>, now: number): number =>
  timed.filter(({ at }) => at.kind === 'h' && at.due <= now).length;

/** The lanes as they are while holders are awaited: what they hold is due when that is over. */
export const awaiting = (lanes: Lanes, until: number): Lanes => ({
  ...lanes,
  timed: lanes.timed.map((entry) =>
    entry.at.kind === 'h' && entry.at.due < until ? { ...entry, at: { ...entry.at, due: until } } : entry,
  ),
});

/**
 * After a reading of a column's lanes in which so many leases had ended: until when its holders are awaited, 0 when
 * they are not. Who finds that there was an outage says so in the pulse, for all.
 */
export async function listen(engine: Engine, column: Column, ended: number): Promise<number> {
  const now = engine.deps.now();
  const { pulse } = engine.claims.of(column.column_id);
  const isKnown = now - pulse.readAt <= ttlOf(column);
  pulse.readAt = now;
  if (pulse.calmUntil > now) return pulse.calmUntil;
  if (isKnown || ended < OUTAGE_LEASES) return 0;
  const heard = await readPulse(engine, column.column_id);
  const verdict = verdictOf(heard, column, now);
  pulse.calmUntil = verdict.isNew ? await say(engine, column, verdict, now) : verdict.until;
  return pulse.calmUntil;
}

/** The same for who only looks: nothing is written, nor remembered. */
export async function awaitedUntil(engine: Engine, column: Column, ended: number): Promise<number> {
  if (ended < OUTAGE_LEASES) return 0;
  const now = engine.deps.now();
  const { pulse } = engine.claims.of(column.column_id);
  if (now - pulse.readAt <= ttlOf(column)) return pulse.calmUntil > now ? pulse.calmUntil : 0;
  return verdictOf(await readPulse(engine, column.column_id), column, now).until;
}

async function readPulse(engine: Engine, columnId: string): Promise<PulseItem | undefined> {
  const item = await engine.store.get(pulseKey(columnId));
  return item === undefined ? undefined : PulseSchema.parse(item);
}

/** What follows from a pulse: until when holders are awaited, 0 when they are not, and whether that is yet to be said. */
type Verdict =
  | { readonly until: number; readonly isNew: false }
  | { readonly until: number; readonly isNew: true; readonly heardAt: number };

function verdictOf(heard: PulseItem | undefined, column: Column, now: number): Verdict {
  if (heard === undefined) return { until: 0, isNew: false };
  const { at: heardAt, calm_until: said = 0 } = heard;
  if (said > now) return { until: said, isNew: false };
  const isOld = now - heardAt > ttlOf(column);
  return isOld ? { until: now + ttlOf(column) / 2, isNew: true, heardAt } : { until: 0, isNew: false };
}

/** Says so for all, unless the pulse has changed since; then what it says now holds. */
async function say(
  engine: Engine,
  column: Column,
  { until, heardAt }: Verdict & { readonly isNew: true },
  now: number,
): Promise<number> {
  const written = await engine.store.write({
    kind: 'update',
    key: pulseKey(column.column_id),
    set: { at: now, calm_until: until },
    remove: [],
    condition: expression('#at = :c_at', { at: heardAt }),
  });
  if (written.ok) return until;
  const said = PulseSchema.safeParse(written.old).data?.calm_until ?? 0;
  return said > now ? said : 0;
}

/** Leaves the time, unless this instance has lately, or somebody else has. Nothing of a call depends on it. */
export async function beat(engine: Engine, column: Column): Promise<void> {
  const now = engine.deps.now();
  const { pulse } = engine.claims.of(column.column_id);
  const every = Math.min(PULSE_EVERY_MS, ttlOf(column) * PULSE_SHARE);
  if (now - pulse.beatAt < every) return;
  pulse.beatAt = now;
  const write = engine.store.write({
    kind: 'update',
    key: pulseKey(column.column_id),
    set: { at: now, board_id: column.board_id, v: LAYOUT_VERSION },
    remove: [],
    condition: expression('attribute_not_exists(#at) OR #at <= :c_at', { at: now - every }),
  });
  await write.catch(() => undefined);
}
