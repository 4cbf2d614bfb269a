/** `leaseboard import FILE`: a backlog onto a board, a hundred cards a call. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Option, type Command } from 'commander';
import type { BatchItem, CardInput } from '../../client/index.ts';
import { sleep } from '../../client/platform.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { showProgress } from '../progress.ts';
import type { SetExit } from '../register.ts';
import { openSession, type Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { batchesOf } from './batches.ts';
import type { CardRow } from './card-row.ts';
import { readCsv } from './csv.ts';
import { readGitHubIssues } from './github-issues.ts';
import { readJsonl } from './jsonl.ts';

export const FORMATS = ['jsonl', 'csv', 'github'] as const;
export type Format = (typeof FORMATS)[number];

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.csv': 'csv',
  '.json': 'github',
};

/** Of a batch of which a busy table refused some rows. */
const MOST_TRIES = 5;
const PAUSE_MS = 500;

const EXPLANATION = `
jsonl   a card a line, as \`leaseboard export\` writes it: title, body, properties, priority, labels, column, ...
csv     a header, then a card a row; lists are split at ";", columns that a card does not have become properties
github  what \`gh issue list --json number,title,body,labels,assignees,state,url\` or GitHub's REST API answers

Repeated within a day, the same file makes no card twice: after a failure just run it again.

Examples:
  leaseboard import backlog.jsonl --board newsroom --column Ready
  gh issue list --json number,title,body,labels,url | leaseboard import - --format github --board newsroom`;

interface ImportOptions {
  readonly format?: Format;
  readonly column?: string;
  readonly closed?: true;
  readonly keepAssignees?: true;
  readonly dryRun?: true;
}

export interface Imported {
  readonly read: number;
  created: number;
  /** Open cards with the same \`dedupe_key\` were there. */
  deduplicated: number;
  readonly refused: { readonly line: number; readonly detail: string }[];
}

export function addImport(program: Command, io: Io, setExit: SetExit): void {
  program
    .command('import')
    .description('Put the cards of a file on a board: JSON Lines, CSV or GitHub issues')
    .argument('<file>', 'path, or - for standard input')
    .addOption(new Option('--format <format>', 'default: by the name of the file').choices(FORMATS))
    .option('--column <column>', 'where cards go that name no column of their own; default: the first column')
    .option('--closed', 'github: closed issues too')
    .option('--keep-assignees', 'github: cards are offered to their assignees only')
    .option('--dry-run', 'read the file and say what is in it')
    .addHelpText('after', EXPLANATION)
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      const rows = await readRows(io, file, options);
      const imported =
        options.dryRun === true ? nothing(rows) : await importRows(session, rows, options.column);
      session.output.show(imported);
      setExit(imported.refused.length === 0 ? EXIT.ok : EXIT.invalid);
    });
}

function nothing(rows: readonly CardRow[]): Imported {
  return { read: rows.length, created: 0, deduplicated: 0, refused: [] };
}

async function readRows(io: Io, file: string, options: ImportOptions): Promise<CardRow[]> {
  const format = options.format ?? BY_EXTENSION[extname(file).toLowerCase()];
  if (format === undefined) throw new UsageError(`What is in ${file}? Say --format ${FORMATS.join(', ')}.`);
  const text = file === '-' ? await io.readStdin() : await contentOf(file);
  if (format === 'csv') return readCsv(text);
  if (format === 'jsonl') return readJsonl(text);
  return readGitHubIssues(text, {
    closed: options.closed === true,
    keepAssignees: options.keepAssignees === true,
  });
}

async function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
}

async function importRows(session: Session, rows: readonly CardRow[], column?: string): Promise<Imported> {
  const placed = await placedRows(session, rows, column);
  const imported = nothing(rows);
  const progress = showProgress(session, 'Importing', rows.length);
  try {
    let done = 0;
    for (const batch of batchesOf(placed, ({ card }) => card)) {
      await importBatch(session, batch, imported);
      progress.at((done += batch.length));
    }
  } finally {
    progress.end();
  }
  return imported;
}

interface PlacedRow {
  readonly line: number;
  readonly card: CardInput;
}

/** Names of columns turned into ids, each once. */
async function placedRows(session: Session, rows: readonly CardRow[], column?: string): Promise<PlacedRow[]> {
  const ids = new Map<string, string>();
  const fallback = column ?? session.settings.column?.value;
  for (const name of new Set(rows.flatMap((row) => row.column ?? fallback ?? []))) {
    ids.set(name, await session.column(name));
  }
  return rows.map(({ line, column: own, card }) => {
    const id = ids.get(own ?? fallback ?? '');
    return { line, card: id === undefined ? card : { ...card, column_id: id } };
  });
}

async function importBatch(session: Session, rows: readonly PlacedRow[], imported: Imported): Promise<void> {
  const cards = rows.map(({ card }) => card);
  const items = await createRows(session, cards, keyOf(session.board, rows));
  for (const { index, card, error } of items) {
    if (error !== undefined) {
      const faults = (error.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
      const detail = [error.detail ?? error.title, ...faults].join('; ');
      imported.refused.push({ line: rows[index]?.line ?? 0, detail });
    } else if (card?.deduplicated === true) imported.deduplicated += 1;
    else imported.created += 1;
  }
}

/** Rows that a busy table refused are asked for again: under the same key the others are answered, not made again. */
async function createRows(
  { client, board, io }: Session,
  cards: readonly CardInput[],
  idempotencyKey: string,
): Promise<readonly BatchItem[]> {
  const { signal } = io;
  for (let tries = 1; ; tries += 1) {
    const { items } = await client.cards.createBatch(board, cards, { signal, idempotencyKey });
    if (tries === MOST_TRIES || !items.some(isBusy)) return items;
    await sleep(client.platform, tries * PAUSE_MS, signal);
  }
}

function isBusy({ status }: BatchItem): boolean {
  return status === 429 || status === 503;
}

/** The same for the same cards at the same place of the file: what was done before a failure is not done again. */
function keyOf(board: string, rows: readonly PlacedRow[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([board, rows]))
    .digest('hex');
  return `import-${digest}`;
}
