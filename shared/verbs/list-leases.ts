/** The leases of a board: those that live, or those that expired and that nobody has taken or ended yet. */
import * as z from 'zod';
import { isTimed, readLane } from '../claim/lanes.ts';
import { boardFor, columnOf, columnsOf, type Board, type Column } from '../columns.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { readableJob } from '../jobs.ts';
import { leaseExpired } from '../model/hold.ts';
import type { ListLeasesQuery } from '../schemas/leases.ts';
import type { Job } from '../store/items.ts';
import { jobKey, laneOf } from '../store/keys.ts';
import { heldLeaseView } from '../views/lease.ts';

/** Where a page ended: a column, and the entry of its timed lane. */
const Position = z.object({ column: z.string(), pk: z.string(), pos: z.string() });
type Position = z.infer<typeof Position>;

/** Answers leases in the order of their deadlines, column by column. Pages may be short. */
export async function listLeases(engine: Engine, caller: Caller, input: ListLeasesQuery & { board: string }) {
  const board = await boardFor(engine, caller, input.board);
  const list = `leases ${board.id} ${input.state ?? ''} ${input.column ?? ''} ${input.agent ?? ''}`;
  const from = input.cursor === undefined ? null : readListCursor(engine, list, input.cursor, Position);
  const columns = await columnsToRead(engine, board, input.column, from);
  const items = [];
  for (const column of columns) {
    const { held, last } = await heldIn(engine, column, input, from, input.limit - items.length);
    items.push(...held.map((job) => heldLeaseView(job, engine.deps.now())));
    if (last !== null) return { items, next_cursor: makeListCursor(engine, list, last) };
  }
  return { items, next_cursor: null };
}

/** The queues in question, from the one on where the last page ended. */
async function columnsToRead(
  engine: Engine,
  board: Board,
  asked: string | undefined,
  from: Position | null,
): Promise<Column[]> {
  const all = asked === undefined ? await columnsOf(engine, board) : [await columnOf(engine, board, asked)];
  const at = all.findIndex((column) => column.column_id === from?.column);
  return all.slice(Math.max(0, at));
}

/** Up to `room` held cards of a column that fit; `last` where the page ends, null when the column is through. */
async function heldIn(
  engine: Engine,
  column: Column,
  input: ListLeasesQuery,
  from: Position | null,
  room: number,
): Promise<{ held: Job[]; last: Position | null }> {
  const held: Job[] = [];
  let start = from?.column === column.column_id ? startAt(column, from) : undefined;
  do {
    const page = await readLane(engine, column.column_id, 'T', {
      limit: Math.max(1, room - held.length),
      ...(start === undefined ? {} : { start }),
    });
    const entries = page.entries.filter(isTimed).filter((entry) => entry.at.kind === 'h');
    const found = await engine.store.batchGet(entries.map((entry) => jobKey(entry.pk)));
    held.push(
      ...found
        .map((item, at) => readableJob(item, entries[at]?.pk ?? ''))
        .filter((job) => job !== undefined && job !== 'corrupt')
        .filter((job) => fits(job, input, engine.deps.now())),
    );
    start = page.next;
  } while (start !== undefined && held.length < room);
  return { held, last: start === undefined ? null : positionOf(column, start) };
}

function startAt(column: Column, { pk, pos }: Position): Record<string, unknown> {
  return { ...jobKey(pk), lane: laneOf(column.column_id, 'T'), pos };
}

function positionOf(column: Column, start: Record<string, unknown>): Position {
  return { column: column.column_id, pk: String(start['pk']), pos: String(start['pos']) };
}

function fits(job: Job, { state, agent }: ListLeasesQuery, now: number): boolean {
  if (job.state !== 'leased' || (agent !== undefined && job.agent !== agent)) return false;
  return state === undefined || leaseExpired(job, now) === (state === 'expired');
}
