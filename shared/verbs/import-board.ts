/**
 * Rows of an export, put onto a board. Each row is all or nothing and is answered by itself; what is there already
 * stays as it is, so that the same rows may be sent any number of times. Cards and columns make the event of their
 * creation, nothing else makes any.
 */
import { boardNow } from '../boards/read-now.ts';
import { orRefusal, type Refused } from '../cards/rows.ts';
import { openBoard } from '../cards/read.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import { BATCH_WIDTH } from '../policy.ts';
import { parseInput, refusedInput } from '../schemas/parse-input.ts';
import { TransferRow, type ImportBoardBody, type TransferType } from '../schemas/transfer.ts';
import { aroundImport, importAround } from '../transfer/import-around.ts';
import { importBoardRow } from '../transfer/import-board-row.ts';
import { cardImport, importCard } from '../transfer/import-card.ts';
import { importColumn, importContract } from '../transfer/import-column.ts';
import { importLinks } from '../transfer/import-links.ts';
import { cardNames, type Imported, type Importing } from '../transfer/importing.ts';
import { IMPORT_LINKS } from '../transfer/policy.ts';
import { inWidth } from '../width.ts';

type RowOf<Type extends TransferType> = Extract<TransferRow, { type: Type }>;
type Done = { readonly status: number; readonly id: string | null };
export type ImportedRow = { readonly index: number; readonly type: TransferType | null } & (Done | Refused);

export interface ImportView {
  readonly items: readonly ImportedRow[];
  readonly created: number;
  /** Rows of what was there already, and rows that make nothing. */
  readonly existing: number;
  readonly refused: number;
}

const CREATED = 201;
const EXISTING = 200;

export async function importBoard(
  engine: Engine,
  caller: Caller,
  input: ImportBoardBody & { board: string },
  repeat: Repeatable | null,
): Promise<Replayable<ImportView>> {
  const board = await openBoard(engine, caller, input.board);
  const record = repeat === null ? undefined : await findRecord(engine, caller, repeat);
  const rows = await Promise.all(
    input.rows.map(async (row) => orRefusal(async () => parseInput(TransferRow, row) ?? null)),
  );
  mustBeFew(rows);
  const answers = await importRows({ engine, caller, board, by: actorOf(caller) }, rows);
  const items = asFirst(answers, record?.rows);
  if (repeat !== null && record === undefined) {
    const recorded = { board_id: board.id, rows: marksOf(items), status: EXISTING };
    await engine.store.write(recordWrite(engine, caller, repeat, recorded));
  }
  const created = items.filter(({ status }) => status === CREATED).length;
  const existing = items.filter(({ status }) => status === EXISTING).length;
  const value = { items, created, existing, refused: items.length - created - existing };
  return { value, created: created > 0, replayed: record !== undefined };
}

type Read = TransferRow | Refused | null;

const isRow = (row: Read): row is TransferRow => row !== null && 'type' in row;

/** One by one: a link costs more than a row. */
function mustBeFew(rows: readonly Read[]): void {
  const links = rows.map((row) =>
    isRow(row) && row.type === 'links' ? (row.parents?.length ?? 0) + (row.sub_cards?.length ?? 0) : 0,
  );
  if (links.reduce((sum, count) => sum + count, 0) <= IMPORT_LINKS) return;
  throw refusedInput([
    { path: '/rows', message: `name more than ${IMPORT_LINKS} links; send them in several calls` },
  ]);
}

/** By type, whatever their order: what others name comes before those. */
async function importRows(importing: Importing, rows: readonly Read[]): Promise<ImportedRow[]> {
  const answers = new Map<number, Done | Refused>();
  const stage = async <Type extends TransferType>(
    width: number,
    types: readonly Type[],
    work: (rows: readonly RowOf<Type>[]) => Promise<(row: RowOf<Type>) => Promise<Imported>>,
  ): Promise<void> => {
    const own = [...rows.entries()].filter((entry): entry is [number, RowOf<Type>] => isOf(entry[1], types));
    if (own.length === 0) return;
    const each = await work(own.map(([, row]) => row));
    await inWidth(width, own, async ([index, row]) => {
      answers.set(index, await orRefusal(async () => doneOf(await each(row))));
    });
  };
  await stage(1, ['board'], async () => async (row) => importBoardRow(importing, row));
  await stage(1, ['column'], async () => async (row) => importColumn(importing, row));
  const { engine, caller } = importing;
  const now = { ...importing, board: await boardNow(engine, caller, importing.board.id) };
  await stage(1, ['contract'], async () => async (row) => importContract(now, row));
  await stage(BATCH_WIDTH, ['card'], async (cards) => {
    const context = await cardImport(now, cards);
    return async (row) => importCard(context, row);
  });
  await stage(BATCH_WIDTH, ['comment', 'run'], async (under) => {
    const nameOf = await cardNames(
      now,
      under.map(({ card_id }) => card_id),
    );
    const context = await aroundImport(now, nameOf);
    return async (row) => importAround(context, row);
  });
  // One after the other: their names are kept apart by what the card has; and links by what is linked already.
  await stage(1, ['attachment'], async (files) => {
    const nameOf = await cardNames(
      now,
      files.map(({ card_id }) => card_id),
    );
    const context = await aroundImport(now, nameOf);
    return async (row) => importAround(context, row);
  });
  await stage(1, ['links'], async (links) => {
    const named = links.flatMap(({ card_id, parents = [], sub_cards = [] }) => [
      card_id,
      ...parents,
      ...sub_cards,
    ]);
    const nameOf = await cardNames(now, named);
    return async (row) => importLinks(now, row, nameOf);
  });
  await stage(1, ['page', 'unreadable'], async () => async (row) => passedOver(row));
  return rows.map((row, index) => {
    const answer = isRow(row) ? answers.get(index) : row;
    if (answer === undefined || answer === null) throw new Error('A row was not answered');
    return { index, type: isRow(row) ? row.type : null, ...answer };
  });
}

function isOf<Type extends TransferType>(row: Read, types: readonly Type[]): row is RowOf<Type> {
  return isRow(row) && types.some((type) => type === row.type);
}

const doneOf = ({ created, id }: Imported): Done => ({ status: created ? CREATED : EXISTING, id });

async function passedOver(row: RowOf<'page' | 'unreadable'>): Promise<Imported> {
  if (row.type === 'page') return { created: false, id: null };
  throw problem('conflict', `The card ${row.id} could not be read when it was exported, and is not in here.`);
}

/** For the record: which rows were made. */
const marksOf = (rows: readonly ImportedRow[]): string =>
  rows.map(({ status }) => (status === CREATED ? 'c' : '-')).join('');

/** What a repeat finds there, its first request has made. */
function asFirst(rows: readonly ImportedRow[], marks: string | undefined): ImportedRow[] {
  return rows.map((row, at) =>
    marks?.[at] === 'c' && row.status === EXISTING ? { ...row, status: CREATED } : row,
  );
}
