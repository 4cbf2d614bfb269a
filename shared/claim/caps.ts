/**
 * The limits that a claim meets: the column's, its board's, and the one on what a single agent holds in the column.
 * Each is a set of slots of its own; a column without any costs nothing.
 */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { BoardSchema, type ColumnItem, type Job } from '../store/items.ts';
import { boardKey } from '../store/keys.ts';

export type CapKind = 'column' | 'board' | 'agent';

/** A number that a lease holds of one of the sets. `take` names this taking of it: taken again, it is another. */
export interface HeldSlot {
  readonly kind: CapKind;
  readonly number: number;
  readonly cardId: string;
  readonly take: string;
}

export interface Cap {
  readonly kind: CapKind;
  readonly scope: string;
  readonly limit: number;
  /** Since when leases without a slot of this set are being given one; undefined when all have theirs. */
  readonly adopting: number | undefined;
}

/** Where COLUMN notes that the leases of a set are being adopted. */
export const ADOPTING = {
  column: 'adopting_at',
  board: 'board_adopting_at',
  agent: 'agent_adopting_at',
} as const satisfies Record<CapKind, keyof ColumnItem>;

export function capsOf({ item, contract, column_id, board_id }: Column, agent: string): Cap[] {
  const limits: Record<CapKind, number | null> = {
    column: contract.concurrency_limit,
    board: item.board_limit ?? null,
    agent: contract.max_per_assignee,
  };
  const kinds: readonly CapKind[] = ['column', 'board', 'agent'];
  return kinds.flatMap((kind) => {
    const limit = limits[kind];
    if (limit === null) return [];
    const scope = scopeOf(kind, { column_id, board_id, agent });
    return [{ kind, scope, limit, adopting: item[ADOPTING[kind]] }];
  });
}

/** Whose set of slots it is. An agent may be a token's name, which may hold anything. */
export function scopeOf(kind: CapKind, of: Pick<Job, 'column_id' | 'board_id' | 'agent'>): string {
  switch (kind) {
    case 'column':
      return of.column_id;
    case 'board':
      return of.board_id;
    case 'agent':
      return `${of.column_id}@${encodeURIComponent(of.agent ?? '')}`;
  }
}

/** The column's own is written bare: most leases have no other. */
const MARK: Record<CapKind, string> = { column: '', board: 'b', agent: 'a' };

/** A slot as JOB names it: `3:take`, `b12:take`, `a0:take`. */
export const slotName = (kind: CapKind, number: number, take: string): string =>
  `${MARK[kind]}${number}:${take}`;

/** The slots that a lease names: one text, since the index of lanes projects one attribute. */
export function namedSlots(job: { readonly pk: string; readonly slot?: string | undefined }): HeldSlot[] {
  return (job.slot ?? '').split(' ').flatMap((name) => {
    const [, mark = '', number = '', take = ''] = /^([ab]?)(\d+):(.+)$/.exec(name) ?? [];
    const kind = (Object.keys(MARK) as CapKind[]).find((each) => MARK[each] === mark);
    return take === '' || kind === undefined ? [] : [{ kind, number: Number(number), cardId: job.pk, take }];
  });
}

export const namesSlot = (job: Job, slot: HeldSlot): boolean =>
  namedSlots(job).some(
    ({ kind, take, number }) => kind === slot.kind && take === slot.take && number === slot.number,
  );

/** JOB's slots with one more, or with another in its place. */
export function withSlotNamed(
  job: { pk: string; slot?: string | undefined },
  kind: CapKind,
  name: string,
): string {
  const others = namedSlots(job).filter((slot) => slot.kind !== kind);
  return [...others.map((slot) => slotName(slot.kind, slot.number, slot.take)), name].join(' ');
}

/**
 * The slots that go on under another holder: all but the one of the former holder's own set, which would pass for one
 * of the new holder's, and keep its lease from being counted. Undefined when none do.
 */
export function slotsKept(job: Job, agent: string): string | undefined {
  if (job.agent === agent) return job.slot;
  const kept = namedSlots(job).filter(({ kind }) => kind !== 'agent');
  return kept.length === 0
    ? undefined
    : kept.map((slot) => slotName(slot.kind, slot.number, slot.take)).join(' ');
}

/** Ids of the columns whose leases count towards a set. */
export async function columnsUnder(
  engine: Engine,
  kind: CapKind,
  column: Column,
): Promise<readonly string[]> {
  if (kind !== 'board') return [column.column_id];
  const board = await engine.boards.get(column.board_id, async () => {
    const item = await engine.store.get(boardKey(column.board_id));
    return item === undefined ? undefined : BoardSchema.parse(item);
  });
  return board?.column_ids ?? [column.column_id];
}
