/** `leaseboard export`: the cards of a board, oldest first, whole. */
import { writeFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { everyItem, type Card, type CardQuery, type CardState } from '../../client/index.ts';
import type { Io } from '../io.ts';
import { showProgress } from '../progress.ts';
import { openSession, type Session } from '../session.ts';
import { writeCsv } from './csv.ts';
import { writeGitHubIssues } from './github-issues.ts';
import { FORMATS, type Format } from './import.ts';

/** Lists show summaries; each card is read by itself, so many at once. */
const READ_AT_ONCE = 8;
const LONGEST_PAGE = 100;

interface ExportOptions {
  readonly format: Format;
  readonly column?: string;
  readonly state?: CardState;
  readonly archived?: true;
  readonly output?: string;
}

/** A card with the name of its column, which means something on other boards too. */
type ExportedCard = Card & { readonly column: string | null };

export function addExport(program: Command, io: Io): void {
  program
    .command('export')
    .description('The cards of a board, oldest first: JSON Lines, CSV or GitHub issues')
    .addOption(new Option('--format <format>', 'how they are written').choices(FORMATS).default('jsonl'))
    .option('--column <column>', 'of this column only')
    .option('--state <state>', 'in this state only')
    .option('--archived', 'those that were put away')
    .option('--output <file>', 'default: standard output')
    .addHelpText(
      'after',
      '\nExample:\n  leaseboard export --board newsroom --format csv --output newsroom.csv',
    )
    .action(async (options: ExportOptions, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      const text = written(await readCards(session, options), options.format);
      if (options.output === undefined) io.out(text);
      else await writeFile(options.output, text);
    });
}

async function readCards(session: Session, options: ExportOptions): Promise<ExportedCard[]> {
  const { client, board, io } = session;
  const { signal } = io;
  const query = await queryOf(session, options);
  const ids: string[] = [];
  for await (const { id } of everyItem(async (page) =>
    client.cards.list(board, { ...query, ...page }, { signal }),
  )) {
    ids.push(id);
  }
  const { columns } = await client.boards.get(board, { signal });
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  const cards: ExportedCard[] = [];
  const progress = showProgress(session, 'Exporting', ids.length);
  try {
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      const some = ids.slice(at, at + READ_AT_ONCE);
      const read = await Promise.all(some.map(async (id) => client.cards.get(id, { signal })));
      cards.push(...read.map((card) => ({ ...card, column: names.get(card.column_id) ?? null })));
      progress.at(cards.length);
    }
  } finally {
    progress.end();
  }
  // The numbers of keys rise as cards are made.
  return cards.sort((one, other) => numberOf(one) - numberOf(other));
}

function numberOf({ key }: Card): number {
  return Number(key.split('-').at(-1));
}

async function queryOf(session: Session, { column, state, archived }: ExportOptions): Promise<CardQuery> {
  return {
    limit: LONGEST_PAGE,
    ...(column === undefined ? {} : { column: await session.column(column) }),
    ...(state === undefined ? {} : { state }),
    ...(archived === undefined ? {} : { archived }),
  };
}

function written(cards: readonly ExportedCard[], format: Format): string {
  const records = cards.map((card) => ({ ...card }));
  if (format === 'csv') return writeCsv(records);
  if (format === 'github') return writeGitHubIssues(records);
  return cards.map((card) => `${JSON.stringify(card)}\n`).join('');
}
