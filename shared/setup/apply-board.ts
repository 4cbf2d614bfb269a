/**
 * Boards as code: makes the board and the columns that are not there, and gives the board the name and each column the
 * contract that the code says. It may run any number of times. What the code does not name stays as it is: no column, no card and no
 * contract is ever taken away.
 */
import * as z from 'zod';
import type { Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { COLUMN_ROLES } from '../model/states.ts';
import { CreateBoardBody } from '../schemas/boards.ts';
import { createBoard } from '../verbs/create-board.ts';
import { createColumn } from '../verbs/create-column.ts';
import { getBoard } from '../verbs/get-board.ts';
import { putContract } from '../verbs/put-contract.ts';
import { updateBoard } from '../verbs/update-board.ts';
import { DEPLOYMENT } from './deployment.ts';

const Contract = z
  .looseObject({ on_success: z.string().optional(), on_failure: z.string().optional() })
  .meta({
    description: 'As PUT takes it, but for the columns that it names, which are named by their names',
  });

export const BoardCode = z.strictObject({
  slug: CreateBoardBody.shape.slug.unwrap(),
  name: CreateBoardBody.shape.name,
  /** In order. A column is known by its name: one that people have renamed is made again. */
  columns: z.array(
    z.strictObject({
      name: z.string(),
      role: z.enum(COLUMN_ROLES).optional(),
      contract: Contract.optional(),
    }),
  ),
});
export type BoardCode = z.infer<typeof BoardCode>;

export interface AppliedBoard {
  readonly id: string;
  /** Ids of the columns that the code names, in its order. */
  readonly columns: readonly string[];
}

export async function applyBoard(engine: Engine, code: BoardCode): Promise<AppliedBoard> {
  const id = await boardOf(engine, code);
  const ids = await columnsOf(engine, id, code);
  for (const { name, contract } of code.columns) {
    if (contract === undefined) continue;
    const column = idOf(ids, name);
    await putContract(engine, DEPLOYMENT, { board: id, column, contract: withIds(contract, ids) });
  }
  return { id, columns: code.columns.map(({ name }) => idOf(ids, name)) };
}

async function boardOf(engine: Engine, { slug, name }: BoardCode): Promise<string> {
  try {
    const made = await createBoard(engine, DEPLOYMENT, { slug, name, template: 'empty' }, null);
    return made.value.id;
  } catch (error) {
    if (!isProblem(error) || error.code !== 'conflict') throw error;
    return (await updateBoard(engine, DEPLOYMENT, { board: slug, name })).id;
  }
}

/** Ids of the board's columns by their names, those that had to be made included. */
async function columnsOf(engine: Engine, board: string, code: BoardCode): Promise<Map<string, string>> {
  const { columns } = await getBoard(engine, DEPLOYMENT, { board });
  const ids = new Map(columns.map(({ name, id }) => [name, id]));
  for (const { name, role = 'plain' } of code.columns) {
    if (ids.has(name)) continue;
    const { value } = await createColumn(engine, DEPLOYMENT, { board, name, role }, null);
    ids.set(name, value.id);
  }
  return ids;
}

function withIds(
  { on_success, on_failure, ...settings }: z.infer<typeof Contract>,
  ids: Map<string, string>,
) {
  return {
    ...settings,
    ...(on_success === undefined ? {} : { on_success_column_id: idOf(ids, on_success) }),
    ...(on_failure === undefined ? {} : { on_failure_column_id: idOf(ids, on_failure) }),
  };
}

function idOf(ids: Map<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The board has no column '${name}': add it to the board's columns.`);
  return id;
}
