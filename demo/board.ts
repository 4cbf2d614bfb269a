/** The demo's board: found or made, its queue set up so that recovery can be watched. */
import {
  isLeaseboardError,
  type BoardDetail,
  type ContractInput,
  type LeaseboardClient,
} from '../client/index.ts';

export interface DemoQueue {
  readonly board: string;
  readonly columnId: string;
}

/** Null when there is no such board (any more). */
export async function findBoard(client: LeaseboardClient, slug: string): Promise<BoardDetail | null> {
  try {
    const board = await client.boards.get(slug);
    return board.archived_at === null ? board : null;
  } catch (error) {
    if (isLeaseboardError(error, 'not_found')) return null;
    throw error;
  }
}

/** A board from the default template whose queue "Ready" goes by `contract`. */
export async function createQueue(
  client: LeaseboardClient,
  board: { readonly slug: string; readonly name: string; readonly description: string },
  contract: ContractInput,
): Promise<DemoQueue> {
  await client.boards.create({ ...board, template: 'default' });
  const queue = readyColumn(await client.boards.get(board.slug));
  // PUT replaces the whole contract, so what the template set is kept by name.
  const { on_success_column_id } = await client.columns.contract(board.slug, queue.columnId);
  await client.columns.setContract(board.slug, queue.columnId, {
    enabled: true,
    on_success_column_id,
    ...contract,
  });
  return queue;
}

/** The queue of a board that was made by `createQueue`. */
export function readyColumn(board: BoardDetail): DemoQueue {
  const ready = board.columns.find((column) => column.name === 'Ready');
  if (ready === undefined) throw new Error(`Board "${board.slug}" has no column "Ready"`);
  return { board: board.slug, columnId: ready.id };
}
