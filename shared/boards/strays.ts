/**
 * Cards that stand in a column as something that it no longer is: idle in what has become a queue, or offered in
 * what is none any more. The PUT of a contract that makes or ends a queue puts them right, and the reaper what is
 * left and what another instance, remembering the column for two seconds, still writes. A claim on a column that
 * is no queue is refused meanwhile, and a card that is held there goes on to be completed.
 */
import { inputErrors, inputErrorsWrite, withInput } from '../claim/input.ts';
import { lanePages, type Entry } from '../claim/lanes.ts';
import type { Column } from '../columns.ts';
import { SYSTEM, type Engine } from '../engine.ts';
import { CorruptItem, note, readCard, writeChange } from '../jobs.ts';
import { isGated } from '../links/facts.ts';
import { lookQuietly } from '../links/look.ts';
import { settle } from '../model/settle.ts';
import { REAPER_PAGE, STEP_CARDS } from '../policy.ts';
import { parkedPrefix, type LaneKind } from '../store/keys.ts';
import type { Job } from '../store/items.ts';

interface Range {
  readonly kind: LaneKind;
  readonly prefix?: string;
}

const STRAYS_OF_QUEUE: readonly Range[] = [{ kind: 'P', prefix: parkedPrefix('idle') }];
const STRAYS_OF_OTHERS: readonly Range[] = [
  { kind: 'R' },
  { kind: 'T' },
  ...(['parents', 'input', 'hold', 'draft', 'container'] as const).map((kind) => ({
    kind: 'P' as const,
    prefix: parkedPrefix(kind),
  })),
];

/** States that follow from where a card stands; the others were brought about by somebody and stay. */
const SETTLED: ReadonlySet<Job['state']> = new Set(['idle', 'waiting', 'ready']);

/**
 * Puts strays right until none is left or the clock passes `until`.
 * @returns true when it saw none at all, held cards of a column that is no queue included.
 */
export async function settleStrays(engine: Engine, column: Column, until: number): Promise<boolean> {
  let clean = true;
  for (const range of column.queue ? STRAYS_OF_QUEUE : STRAYS_OF_OTHERS) {
    const { kind, ...bounds } = range;
    for await (const entries of lanePages(engine, column.column_id, kind, {
      ...bounds,
      limit: REAPER_PAGE,
    })) {
      if (engine.deps.now() >= until) return false;
      clean &&= entries.length === 0;
      await settleAll(engine, column, entries);
    }
  }
  return clean;
}

async function settleAll(engine: Engine, column: Column, entries: readonly Entry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += STEP_CARDS) {
    await Promise.all(
      entries.slice(at, at + STEP_CARDS).map(async (entry) => settleStray(engine, column, entry.pk)),
    );
  }
}

/** One card, as it is now. Another writer's change between is harmless: the next pass looks again. */
async function settleStray(engine: Engine, column: Column, cardId: string): Promise<void> {
  const read = await readCard(engine, cardId).catch(passCorrupt);
  if (read === undefined || read.job.column_id !== column.column_id || !SETTLED.has(read.job.state)) return;
  const { job, card } = read;
  const errors = inputErrors(column, card.properties);
  const after = settle(withInput(job, column, errors), column, engine.deps.now());
  if (after.lane === job.lane && after.pos === job.pos) return;
  const shown = inputErrorsWrite(card, errors);
  const type = after.state === 'ready' ? 'card.ready' : 'card.updated';
  const change = { op: 'edit' as const, before: job, after, events: [note(type, SYSTEM, job)] };
  const outcome = await writeChange(engine, change, shown === null ? [] : [shown]);
  // Its parents may have been done while nobody was there to look: the board had no queue.
  if (outcome.done && isGated(after)) await lookQuietly(engine, cardId);
}

/** A card that this version cannot read is shown in diagnostics, and stops nothing. */
export function passCorrupt(error: unknown): undefined {
  if (error instanceof CorruptItem) return undefined;
  throw error;
}
