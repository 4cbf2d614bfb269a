/** A queue column with a contract, stored as a PUT leaves it, and its board. */
import { DEFAULT_CONTRACT, contractToStore, type ContractSettings } from '../../shared/contract/settings.ts';
import { toColumn, type Column } from '../../shared/columns.ts';
import { newId } from '../../shared/ids.ts';
import { LAYOUT_VERSION, type ColumnItem } from '../../shared/store/items.ts';
import { boardKey, columnKey, queueEntryKey } from '../../shared/store/keys.ts';
import type { World } from './world.ts';

export interface TestQueue {
  readonly board: string;
  readonly column: Column;
  readonly done: Column;
  readonly failed: Column;
}

/** A board of three columns: a queue, where its completed cards go, and a plain one. */
export async function createQueue(
  world: World,
  contract: Partial<ContractSettings> = {},
): Promise<TestQueue> {
  const board = newId('brd', world.main.deps);
  const done = await putColumn(world, board, 'Done', 'done');
  const failed = await putColumn(world, board, 'Needs attention', 'plain');
  const column = await putColumn(world, board, 'Ready', 'work', {
    enabled: true,
    on_success_column_id: done.column_id,
    ...contract,
  });
  await world.main.store.write({
    kind: 'put',
    item: {
      ...boardKey(board),
      v: LAYOUT_VERSION,
      board_id: board,
      slug: board.toLowerCase(),
      name: 'Test',
      key_prefix: 'TEST',
      column_ids: [column.column_id, done.column_id, failed.column_id],
      created_at: 0,
      updated_at: 0,
      rev: 1,
      sequence: 0,
      op: 'create',
      ev: [],
    },
  });
  await world.main.store.write({
    kind: 'put',
    item: { ...queueEntryKey(column.column_id), v: LAYOUT_VERSION, board_id: board, rev: column.item.rev },
  });
  return { board, column, done, failed };
}

export async function putColumn(
  world: World,
  board: string,
  name: string,
  role: ColumnItem['role'],
  contract: Partial<ContractSettings> = {},
  more: Partial<ColumnItem> = {},
): Promise<Column> {
  const id = more.pk ?? newId('col', world.main.deps);
  const item: ColumnItem = {
    ...columnKey(id),
    v: LAYOUT_VERSION,
    board_id: board,
    name,
    role,
    contract: contractToStore({ ...DEFAULT_CONTRACT, ...contract }),
    schema_no: 1,
    rev: 1,
    created_at: 0,
    updated_at: 0,
    ...more,
  };
  await world.main.store.write({ kind: 'put', item });
  world.main.columns.forget(id);
  return toColumn(item);
}
