/** Flags of a verb, and the body or query that they make. */
import type { Command } from 'commander';
import { collected } from './option-values.ts';
import { timeOf } from './time.ts';
import type { Session } from './session.ts';
import { readTextFile, withoutMark } from './text-file.ts';
import { UsageError } from './usage-error.ts';

type Kind = 'text' | 'number' | 'flag' | 'list' | 'json' | 'time' | 'column' | 'card' | 'cards';

export interface Field {
  /** As the API calls it. */
  readonly name: string;
  /** As the command line calls it, without dashes. */
  readonly flag: string;
  readonly kind: Kind;
  readonly help: string;
  readonly required: boolean;
  readonly choices: readonly string[] | null;
}

interface More {
  /** Of the API, where it is not the flag with underscores. */
  readonly name?: string;
  readonly required?: true;
  readonly choices?: readonly string[];
}

/** `text` and `json` take `@FILE` for the content of a file and `-` for standard input. */
export function field(flag: string, kind: Kind, help: string, more: More = {}): Field {
  const { name = flag.replaceAll('-', '_'), required = false, choices = null } = more;
  return { name, flag, kind, help, required, choices };
}

const PLACEHOLDER: Readonly<Record<Kind, string>> = {
  text: ' <text>',
  number: ' <number>',
  flag: '',
  list: ' <text>',
  json: ' <json>',
  time: ' <time>',
  column: ' <column>',
  card: ' <card>',
  cards: ' <card>',
};

const HINT: Partial<Readonly<Record<Kind, string>>> = {
  list: 'may be given several times',
  cards: 'id or key; may be given several times',
  card: 'id or key',
  column: 'name or id',
  json: 'JSON, @FILE or -',
  time: 'such as 2026-05-01T09:00:00Z or +2h',
};

export function addFields(command: Command, fields: readonly Field[]): void {
  for (const { flag, kind, help, choices, required } of fields) {
    const hints = [...(required ? ['required'] : []), ...(HINT[kind] === undefined ? [] : [HINT[kind]])];
    const description = hints.length === 0 ? help : `${help} (${hints.join('; ')})`;
    const option = command.createOption(`--${flag}${PLACEHOLDER[kind]}`, description);
    if (choices !== null) option.choices([...choices]);
    if (kind === 'list' || kind === 'cards') {
      option.argParser(collected);
    }
    command.addOption(option);
    if (kind === 'flag') command.addOption(command.createOption(`--no-${flag}`).hideHelp());
  }
}

/** What commander makes of a flag's name. */
function optionKey(flag: string): string {
  return flag.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
}

/** @throws UsageError for a value that cannot be read, and for a required one that is missing. */
export async function readFields(
  session: Session,
  fields: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { data } = options;
  const body = typeof data === 'string' ? await objectOf(session, data) : {};
  for (const field of fields) {
    const given = options[optionKey(field.flag)];
    if (given !== undefined) body[field.name] = await valueOf(session, field, given);
  }
  for (const name of listOf(options['clear'])) body[name.replaceAll('-', '_')] = null;
  const missing = fields.find(({ required, name }) => required && body[name] === undefined);
  if (missing !== undefined) throw new UsageError(`--${missing.flag} is missing: ${missing.help}.`);
  return body;
}

async function objectOf(session: Session, text: string): Promise<Record<string, unknown>> {
  const value: unknown = jsonOf(await contentOf(session, text), '--data');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError('--data takes a JSON object.');
}

async function valueOf(session: Session, { kind, flag }: Field, given: unknown): Promise<unknown> {
  if (kind === 'flag') return given;
  if (kind === 'list') return listOf(given);
  if (kind === 'cards') return Promise.all(listOf(given).map(async (card) => session.card(card)));
  const text = String(given);
  if (kind === 'number') return numberOf(text, flag);
  if (kind === 'json') return jsonOf(await contentOf(session, text), `--${flag}`);
  if (kind === 'time') return timeOf(text, session.io.now(), `--${flag}`);
  if (kind === 'column') return session.column(text);
  if (kind === 'card') return session.card(text);
  return contentOf(session, text);
}

function listOf(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}

function numberOf(text: string, flag: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`--${flag} takes a number, not "${text}".`);
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch (error) {
    throw new UsageError(`${what} takes JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Text as given, of a file (`@FILE`; `@@` begins a text that begins with `@`), or of standard input (`-`). */
async function contentOf(session: Session, text: string): Promise<string> {
  if (text === '-') return session.io.readStdin();
  if (text.startsWith('@@')) return text.slice(1);
  if (!text.startsWith('@')) return text;
  return readTextFile(text.slice(1), 'A text that begins with @ is written @@.');
}
