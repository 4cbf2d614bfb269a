/** The tables of docs/mcp.md, made of the table of tools. */
import { TOOLS } from '../../../functions/mcp/tools.ts';
import { NOT_TOOLS } from './not-tools.ts';

const mark = (yes: boolean): string => (yes ? 'x' : '');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function toolsTable(): string {
  const rows = TOOLS.map(({ name, calls, route, hints }) => [
    `\`${name}\``,
    calls.scope,
    `\`${route}\``,
    mark(hints.readOnlyHint),
    mark(hints.destructiveHint),
    mark(hints.idempotentHint),
  ]);
  return table(['tool', 'scope', 'the same as', 'reads only', 'destroys', 'may be repeated'], rows);
}

function notToolsTable(): string {
  const rows = Object.entries(NOT_TOOLS).map(([address, why]) => [`\`${address}\``, why]);
  return table(['route', 'why'], rows);
}

/** The document with its tables as they should be. */
export function withTables(document: string): string {
  return withPart(withPart(document, 'tools', toolsTable()), 'not-tools', notToolsTable());
}

function withPart(document: string, name: string, text: string): string {
  const between = new RegExp(`(<!-- ${name}:[^>]*-->\\n)[^]*?(<!-- /${name} -->)`);
  if (!between.test(document)) throw new Error(`The document has no place for ${name}.`);
  return document.replace(between, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}
