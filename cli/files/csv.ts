/**
 * CSV with a header: a column for each field of a card, lists split at `;`, every other column a property. What would
 * be a formula to a spreadsheet is written with a `'` before it, and read without.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { UsageError } from '../usage-error.ts';
import {
  FLAG_FIELDS,
  LIST_FIELDS,
  LIVED_FIELDS,
  NUMBER_FIELDS,
  rowOf,
  TEXT_FIELDS,
  type CardRow,
} from './card-row.ts';

const LIST_SEPARATOR = ';';
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r])/;

/** Columns of an export. */
const EXPORTED = [
  'key',
  'column',
  'state',
  ...TEXT_FIELDS,
  ...NUMBER_FIELDS,
  ...LIST_FIELDS,
  'draft',
  'hold',
  'properties',
] as const;

export function readCsv(text: string): CardRow[] {
  return recordsOf(text).map(({ record, info }) => rowOf(info.lines, fieldsOf(info.lines, record)));
}

interface Read {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

function recordsOf(text: string): Read[] {
  try {
    return parse(text, {
      columns: headerOf,
      bom: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    }) as unknown as Read[];
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`The CSV cannot be read: ${error.message}`);
    throw error;
  }
}

/** Spreadsheets begin names with a capital; what no card has keeps its name, as a property. */
function headerOf(names: readonly string[]): string[] {
  const header = names.map((name) => (KINDS.has(name.toLowerCase()) ? name.toLowerCase() : name));
  if (header.includes('title')) return header;
  throw new UsageError(
    `The first line names no column "title", but: ${names.join(' | ')}. Commas part the columns.`,
  );
}

function fieldsOf(line: number, record: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(record)) {
    const cell = written.replace(ESCAPED_FORMULA, '');
    if (cell === '') continue;
    if (name === 'properties') Object.assign(properties, jsonOf(line, cell));
    else if (isField(name)) fields[name] = valueOf(line, name, cell);
    else properties[name] = cell;
  }
  return Object.keys(properties).length === 0 ? fields : { ...fields, properties };
}

function isField(name: string): boolean {
  return LIVED_FIELDS.has(name) || KINDS.has(name);
}

type Kind = 'text' | 'number' | 'flag' | 'list';

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...TEXT_FIELDS.map((name) => [name, 'text'] as const),
  ...NUMBER_FIELDS.map((name) => [name, 'number'] as const),
  ...FLAG_FIELDS.map((name) => [name, 'flag'] as const),
  ...LIST_FIELDS.map((name) => [name, 'list'] as const),
]);

function valueOf(line: number, name: string, cell: string): unknown {
  const kind = KINDS.get(name);
  if (kind === 'list') return cell.split(LIST_SEPARATOR).map((part) => part.trim());
  if (kind === 'flag') return flagOf(line, name, cell);
  if (kind !== 'number') return cell;
  const number = Number(cell);
  if (Number.isFinite(number)) return number;
  throw new UsageError(`Line ${line}: ${name} takes a number, not "${cell}".`);
}

function flagOf(line: number, name: string, cell: string): boolean {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  throw new UsageError(`Line ${line}: ${name} takes true or false, not "${cell}".`);
}

function jsonOf(line: number, cell: string): object {
  try {
    return Object(JSON.parse(cell)) as object;
  } catch {
    throw new UsageError(`Line ${line}: properties takes a JSON object.`);
  }
}

/** @param cards As the API shows them, with `column`, the name. */
export function writeCsv(cards: readonly Readonly<Record<string, unknown>>[]): string {
  const rows = cards.map((card) => EXPORTED.map((name) => cellOf(card[name])));
  return stringify([[...EXPORTED], ...rows], { escape_formulas: true });
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(LIST_SEPARATOR);
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
