/** New columns and their entry in the register of queues. */
import type { Board } from '../columns.ts';
import { contractToStore } from '../contract/settings.ts';
import type { ContractSettings } from '../contract/contract-fields.ts';
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { newId } from '../ids.ts';
import type { ColumnRole } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type ColumnItem } from '../store/items.ts';
import { columnKey, queueEntryKey } from '../store/keys.ts';
import type { Put } from '../store/params.ts';

export function mustHaveRoom({ item }: Board): void {
  if (item.column_ids.length < LIMITS.columnsPerBoard) return;
  throw problem('quota_exceeded', `A board has at most ${LIMITS.columnsPerBoard} columns. Delete one first.`);
}

export interface NewColumn {
  readonly name: string;
  readonly role: ColumnRole;
  readonly wip_limit?: number | null | undefined;
  readonly contract?: ContractSettings;
  /** Made before, where contracts name it. */
  readonly id?: string;
}

export function newColumn(engine: Engine, boardId: string, column: NewColumn): ColumnItem {
  const now = engine.deps.now();
  const { name, role, wip_limit, contract } = column;
  return {
    ...columnKey(column.id ?? newId('col', engine.deps)),
    v: LAYOUT_VERSION,
    board_id: boardId,
    name,
    role,
    ...(wip_limit === undefined || wip_limit === null ? {} : { wip_limit }),
    ...(contract === undefined ? {} : { contract: contractToStore(contract) }),
    schema_no: 1,
    rev: 1,
    created_at: now,
    updated_at: now,
  };
}

export function columnPut(column: ColumnItem): Put {
  return { kind: 'put', item: { ...column }, condition: ABSENT };
}

/**
 * Registers a queue with the reaper. The column's `rev` tells this registering from a later one, so that a
 * reaper that found an ended queue clean does not strike off one that has begun again meanwhile.
 */
export function queueEntryPut(column: ColumnItem): Put {
  return {
    kind: 'put',
    item: { ...queueEntryKey(column.pk), v: LAYOUT_VERSION, board_id: column.board_id, rev: column.rev },
  };
}
