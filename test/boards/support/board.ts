/** Boards made through the verbs, and their columns by name. */
import { findColumn, type Column } from '../../../shared/columns.ts';
import type { Engine } from '../../../shared/engine.ts';
import type { Repeatable } from '../../../shared/idempotency.ts';
import { isProblem, type Problem } from '../../../shared/errors.ts';
import type { CreateBoardBody } from '../../../shared/schemas/boards.ts';
import { createBoard } from '../../../shared/verbs/create-board.ts';
import { getBoard } from '../../../shared/verbs/get-board.ts';
import type { BoardDetail } from '../../../shared/views/board.ts';
import type { TestQueue } from '../../support/queue.ts';
import type { World } from '../../support/world.ts';

let made = 0;

export async function makeBoard(world: World, input: Partial<CreateBoardBody> = {}): Promise<BoardDetail> {
  made += 1;
  const name = input.name ?? `Board ${made}`;
  return (await createBoard(world.main, world.admin, { ...input, name }, null)).value;
}

export function columnNamed(board: BoardDetail, name: string): BoardDetail['columns'][number] {
  const column = board.columns.find((one) => one.name === name);
  if (column === undefined) throw new Error(`The board has no column '${name}'`);
  return column;
}

/** Path parameters of a column's verbs. */
export const at = (board: BoardDetail, name: string) => ({
  board: board.id,
  column: columnNamed(board, name).id,
});

/** The column as the engine has it, for seeding cards and claiming them. */
export async function engineColumn(engine: Engine, board: BoardDetail, name: string): Promise<Column> {
  const { id } = columnNamed(board, name);
  engine.columns.forget(id);
  const column = await findColumn(engine, id);
  if (column === undefined) throw new Error(`The column '${name}' is not stored`);
  return column;
}

export async function queueOf(engine: Engine, board: BoardDetail, name = 'Ready'): Promise<TestQueue> {
  const [column, done, failed] = await Promise.all(
    [name, 'Done', 'Triage'].map(async (each) => engineColumn(engine, board, each)),
  );
  if (column === undefined || done === undefined || failed === undefined) throw new Error('No such queue');
  return { board: board.id, column, done, failed };
}

export const look = async (world: World, board: BoardDetail): Promise<BoardDetail> =>
  getBoard(world.engine(), world.admin, { board: board.id });

/** The refusal that a call ends in; a call that succeeds fails the test. */
export async function refusal(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (isProblem(error)) return error;
    throw error;
  }
  throw new Error('The call was not refused');
}

export const repeatable = (key: string, fingerprint = 'body', route = 'POST /v1/boards'): Repeatable => ({
  key,
  route,
  fingerprint,
});
