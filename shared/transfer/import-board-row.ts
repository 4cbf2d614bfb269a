/**
 * The row of a board. A board that has had no card yet takes over what it has not been told itself (never its name
 * or slug), and the numbers of keys: its own cards are numbered from there on. Any other stays as it is, and cards
 * that come to it get new numbers.
 */
import { boardNow } from '../boards/read-now.ts';
import { problem } from '../errors.ts';
import { DECIDE_RETRIES } from '../policy.ts';
import type { BoardRow } from '../schemas/transfer.ts';
import { expression } from '../store/conditions.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { numberKey } from '../store/keys.ts';
import type { Update } from '../store/params.ts';
import { updateBoard } from '../verbs/update-board.ts';
import { lastNumber } from './head-rows.ts';
import type { Imported, Importing } from './importing.ts';
import { importedBoardPut, importedNumbers } from './register.ts';

export async function importBoardRow(importing: Importing, row: BoardRow): Promise<Imported> {
  const { engine, board } = importing;
  const { id } = board;
  if (row.id === id) return { created: false, id };
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    if ((await importedNumbers(engine, id, row.id)) !== undefined) return { created: false, id };
    const empty = (await lastNumber(engine, id)) === 0;
    if (empty) await takeOver(importing, row);
    const numbers = empty ? row.numbers : 0;
    const written = await engine.store.transact([
      importedBoardPut(id, row.id, numbers),
      ...(numbers === 0 ? [] : [numbersWrite(id, numbers)]),
    ]);
    if (written.ok) return { created: true, id };
  }
  throw problem('throttled', 'Cards keep being made on the board. Try again.', { retry_after_seconds: 1 });
}

/** Refused when a card has been numbered since. */
function numbersWrite(boardId: string, number: number): Update {
  return {
    kind: 'update',
    key: numberKey(boardId),
    set: { v: LAYOUT_VERSION, number },
    remove: [],
    condition: expression('attribute_not_exists(#number) OR #number = :c_none', { none: 0 }),
  };
}

async function takeOver({ engine, caller, board }: Importing, row: BoardRow): Promise<void> {
  const { item } = await boardNow(engine, caller, board.id);
  const { description, icon, max_in_progress } = row;
  const { event_retention_days, run_retention_days, archived_retention_days } = row;
  const kept = { event_retention_days, run_retention_days, archived_retention_days };
  const told = { description, icon, max_in_progress, ...kept };
  const names = Object.keys(told) as (keyof typeof told)[];
  const unset = names.filter((name) => item[name] === undefined && told[name] != null);
  if (unset.length === 0) return;
  const taken = Object.fromEntries(unset.map((name) => [name, told[name]]));
  await updateBoard(engine, caller, { ...taken, board: board.id });
}
