/** `leaseboard board import FILE`: the export of a board onto a board, a hundred rows a call. */
import { readFile } from 'node:fs/promises';
import { isLeaseboardError, type ExportedRow, type ImportAnswer } from '../../client/index.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import type { VerbCall } from '../verb.ts';
import { batchesOf } from './batches.ts';
import { linesOf } from './jsonl.ts';

/** Links that the API makes in one call. */
const MOST_LINKS = 1_000;

export interface ImportedBoard {
  readonly read: number;
  created: number;
  /** Rows of what was there already, and rows that make nothing. */
  existing: number;
  readonly refused: { readonly line: number; readonly detail: string }[];
}

interface NumberedRow {
  readonly line: number;
  readonly row: ExportedRow;
}

export async function importBoardFile(call: VerbCall): Promise<ImportedBoard> {
  const { session, args, input } = call;
  const { create = false }: { create?: boolean } = input;
  const rows = await readRows(call, args['file'] ?? '');
  const imported: ImportedBoard = { read: rows.length, created: 0, existing: 0, refused: [] };
  const progress = showProgress(session, 'Importing', rows.length);
  try {
    let done = 0;
    for (const batch of batchesOf(rows, ({ row }) => row, { of: linksIn, most: MOST_LINKS })) {
      noteAll(imported, batch, await sent(call, batch, create && done === 0));
      progress.at((done += batch.length));
    }
  } finally {
    progress.end();
  }
  return imported;
}

export const exitCodeOfImport = (answer: unknown): ExitCode =>
  (answer as ImportedBoard).refused.length === 0 ? EXIT.ok : EXIT.invalid;

async function readRows({ session }: VerbCall, file: string): Promise<NumberedRow[]> {
  const text = file === '-' ? await session.io.readStdin() : await contentOf(file);
  return linesOf(text).map(({ line, object }) => {
    if (typeof object['type'] === 'string') return { line, row: { ...object, type: object['type'] } };
    throw new UsageError(
      `Line ${line} is no row of a board's export: it has no "type". A backlog is for \`leaseboard import\`.`,
    );
  });
}

async function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
}

function linksIn({ row }: NumberedRow): number {
  return [row['parents'], row['sub_cards']].flatMap((ids) => (Array.isArray(ids) ? ids : [])).length;
}

/** @param create Makes the board when there is none. */
async function sent(
  { client, board, options }: VerbCall,
  batch: readonly NumberedRow[],
  create: boolean,
): Promise<ImportAnswer> {
  const rows = batch.map(({ row }) => row);
  try {
    return await client.boards.import(board, rows, options);
  } catch (error) {
    if (!create || !isLeaseboardError(error, 'not_found')) throw error;
    const name = rows.find(({ type }) => type === 'board')?.['name'];
    const named = typeof name === 'string' ? name : board;
    await client.boards.create({ name: named, slug: board, template: 'empty' }, { signal: options.signal });
    return client.boards.import(board, rows, options);
  }
}

function noteAll(imported: ImportedBoard, batch: readonly NumberedRow[], answer: ImportAnswer): void {
  imported.created += answer.created ?? 0;
  imported.existing += answer.existing ?? 0;
  for (const { index, error } of answer.items) {
    if (error === undefined) continue;
    const faults = (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    imported.refused.push({
      line: batch[index]?.line ?? 0,
      detail: [error.detail ?? error.title, ...faults].join('; '),
    });
  }
}
