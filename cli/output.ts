/** How answers are shown: data on standard output, everything else on standard error. */
import type { Io } from './io.ts';
import { detailsOf, printable, tableOf, type Tables } from './text.ts';

/** How an answer is shown to people. */
interface Shape {
  /** Of a list: paths into its items, which make a table of it. */
  readonly columns?: readonly string[];
  /** Of anything else: the lists inside it that are tables. */
  readonly tables?: Tables;
}

export interface Output {
  readonly json: boolean;
  /** One answer. */
  readonly show: (answer: unknown, shape?: Shape) => void;
  /** One item of a stream: a line of JSON, or of text. */
  readonly line: (item: unknown, text: string) => void;
  /** For a person: not data, and left out by `--quiet`. */
  readonly note: (text: string) => void;
}

interface Listed {
  readonly items: readonly unknown[];
  readonly next_cursor?: string | null;
}

export function outputOf(io: Io, flags: { readonly json?: boolean; readonly quiet?: boolean }): Output {
  const json = flags.json === true;
  const note = (text: string): void => {
    if (flags.quiet !== true) io.err(`${printable(text)}\n`);
  };
  return {
    json,
    note,
    line: (item, text) => io.out(json ? `${JSON.stringify(item)}\n` : `${printable(text)}\n`),
    show: (answer, { columns, tables } = {}) => {
      if (json) io.out(`${JSON.stringify(answer ?? null)}\n`);
      else if (answer === undefined) note('Done.');
      else if (columns === undefined || !isListed(answer)) io.out(`${detailsOf(answer, tables)}\n`);
      else {
        if (answer.items.length > 0) io.out(`${tableOf(answer.items, columns)}\n`);
        note(more(answer));
      }
    },
  };
}

function isListed(answer: unknown): answer is Listed {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items);
}

function more({ items, next_cursor: cursor }: Listed): string {
  const count = `${items.length} shown`;
  return cursor === null || cursor === undefined
    ? `${count}.`
    : `${count}; there may be more: --all, or --cursor ${cursor}`;
}
