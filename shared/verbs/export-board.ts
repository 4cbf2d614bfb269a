/** A board as rows that POST B/import takes, a bounded page at a time. Nothing secret is among them. */
import { boardNow } from '../boards/read-now.ts';
import type { Caller, Engine } from '../engine.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import { LIST_ENTRIES } from '../policy.ts';
import type { ExportBoardQuery, TransferRow } from '../schemas/transfer.ts';
import { createdKey } from '../store/keys.ts';
import { jsonBytes } from '../text.ts';
import { ExportPosition } from '../transfer/export-position.ts';
import { exportRows } from '../transfer/export-rows.ts';
import { EXPORT_BYTES, LINKS_PER_ROW } from '../transfer/policy.ts';

/**
 * Answers `{items, next_cursor}`. A page ends early by its bytes, its links or what it has looked at, and may even be
 * empty while `next_cursor` goes on.
 */
export async function exportBoard(
  engine: Engine,
  caller: Caller,
  input: ExportBoardQuery & { board: string },
): Promise<{ items: TransferRow[]; next_cursor: string | null }> {
  const board = await boardNow(engine, caller, input.board);
  const list = `export ${board.id}`;
  const from: ExportPosition =
    input.cursor === undefined
      ? { stage: 'head', until: createdKey(engine.deps.now()), at: 0 }
      : readListCursor(engine, list, input.cursor, ExportPosition);
  const items: TransferRow[] = [];
  let [bytes, links, looked] = [0, 0, 0];
  for await (const { row, next } of exportRows(engine, board, from)) {
    looked += 1;
    if (row !== null) {
      items.push(row);
      bytes += jsonBytes(row);
      links += linksIn(row);
    }
    const full = items.length >= input.limit || bytes >= EXPORT_BYTES || links >= LINKS_PER_ROW;
    if (full || looked >= LIST_ENTRIES) return { items, next_cursor: makeListCursor(engine, list, next) };
  }
  return { items, next_cursor: null };
}

function linksIn(row: TransferRow): number {
  return row.type === 'links' ? (row.parents?.length ?? 0) + (row.sub_cards?.length ?? 0) : 0;
}
