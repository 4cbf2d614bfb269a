/** Cards of an import: each is made once, in one transaction with its text and its dedupe key, or is there already. */
import { bodyWrite, isLong, storedCard } from '../cards/content.ts';
import { isOpenCard, readKeyHolder, takeKey } from '../cards/dedupe.ts';
import { cardKeyText, takeNumbers } from '../cards/numbers.ts';
import type { WholeCard } from '../cards/read.ts';
import { notFound, problem } from '../errors.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES } from '../policy.ts';
import type { CardRow } from '../schemas/transfer.ts';
import { ABSENT, conditionOf } from '../store/conditions.ts';
import type { Write } from '../store/params.ts';
import { cardNames, wasDeleted, type CardNames, type Imported, type Importing } from './importing.ts';
import { columnNames, importedColumns, importedNumbers, standingColumn } from './register.ts';
import { restoredCard, type Restoring } from './restored-card.ts';

/** What the cards of one request need to know, read once for all of them. */
export interface CardImport extends Importing {
  readonly nameOf: CardNames;
  readonly columnOf: Restoring['columnOf'];
  readonly numberOf: (row: CardRow) => number;
}

export async function cardImport(importing: Importing, rows: readonly CardRow[]): Promise<CardImport> {
  const { engine, board } = importing;
  const [nameOf, imported] = await Promise.all([
    cardNames(
      importing,
      rows.flatMap(({ id, container_id }) => [id, container_id ?? id]),
    ),
    importedColumns(engine, board.id),
  ]);
  const numberOf = await numbersFor(
    importing,
    rows.filter(({ id }) => nameOf(id).job === undefined),
  );
  return { ...importing, nameOf, columnOf: columnNames(board, imported), numberOf };
}

/** A card keeps its number where the board has left it free for it; the others get new ones, in the order of the rows. */
async function numbersFor(
  { engine, board }: Importing,
  rows: readonly CardRow[],
): Promise<CardImport['numberOf']> {
  const kept = new Map<string, number>();
  for (const source of new Set(rows.map(({ board_id }) => board_id))) {
    kept.set(source, (await importedNumbers(engine, board.id, source)) ?? 0);
  }
  const numbers = new Map<CardRow, number>();
  for (const row of rows) {
    const number = Number(/-(\d{1,9})$/.exec(row.key)?.[1] ?? 0);
    if (number > 0 && number <= (kept.get(row.board_id) ?? 0)) numbers.set(row, number);
  }
  const others = rows.filter((row) => !numbers.has(row));
  const first = others.length === 0 ? 0 : await takeNumbers(engine, board, others.length);
  for (const [at, row] of others.entries()) numbers.set(row, first + at);
  return (row) => numbers.get(row) ?? 0;
}

export async function importCard(importing: CardImport, row: CardRow): Promise<Imported> {
  const { engine } = importing;
  const { id, job } = importing.nameOf(row.id);
  if (job === 'deleted') throw wasDeleted(row.id);
  if (job !== undefined) return { created: false, id };
  const whole = await cardFor(importing, row, id);
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const { refused } = await write(importing, whole);
    if (refused === 'none') return { created: true, id };
    // Another import of the same row was quicker.
    if (refused === 'card') return { created: false, id };
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
  }
  throw problem('throttled', 'Others kept creating under the same dedupe key. Try again.', {
    retry_after_seconds: 1,
  });
}

async function cardFor(importing: CardImport, row: CardRow, id: string): Promise<WholeCard> {
  const { engine, board, by, columnOf, nameOf } = importing;
  const column = await standingColumn(engine, columnOf(row.column_id));
  if (column === undefined) throw notFound('column', row.column_id);
  return restoredCard(row, {
    id,
    key: cardKeyText(board, importing.numberOf(row)),
    containerId: row.container_id && nameOf(row.container_id).id,
    column,
    columnOf,
    by,
    now: engine.deps.now(),
  });
}

async function write(
  importing: CardImport,
  { job, card, body }: WholeCard,
): Promise<{ refused: 'none' | 'card' | 'key' }> {
  const { engine } = importing;
  const key = isOpenCard(job) ? card.dedupe_key : undefined;
  const writes: Write[] = [
    { kind: 'put', item: job, condition: conditionOf('create', {}) },
    { kind: 'put', item: storedCard(card) },
    ...(isLong(body) ? [{ ...bodyWrite(card, body), condition: ABSENT }] : []),
    ...(key === undefined ? [] : [await keyWrite(importing, job.pk, key)]),
  ];
  const outcome = await engine.store.transact(writes);
  if (outcome.ok) return { refused: 'none' };
  return { refused: outcome.refused[0] === null ? 'key' : 'card' };
}

/** @throws Problem `conflict` naming the open card that has the key. */
async function keyWrite({ engine, board }: CardImport, id: string, key: string): Promise<Write> {
  const holder = await readKeyHolder(engine, board.id, key);
  if (holder.openCardId !== null && holder.openCardId !== id) {
    throw problem(
      'conflict',
      `The card ${holder.openCardId} is open under the same dedupe key. Close it first, or leave this row out.`,
      { card_id: holder.openCardId },
    );
  }
  return takeKey(engine, { id, boardId: board.id, key }, holder);
}
