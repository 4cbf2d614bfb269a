/** Plain text of answers, for people. What others wrote cannot steer the terminal that it is shown in. */

const LONGEST_CELL = 60;
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Without control characters and changes of direction, except line breaks and tabs. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) =>
    character === '\n' || character === '\t' ? character : '�',
  );
}

/** A header and a line for each item; `columns` are paths such as `lease.agent`. */
export function tableOf(items: readonly unknown[], columns: readonly string[]): string {
  const header = columns.map((path) => (path.split('.').at(-1) ?? path).toUpperCase());
  const rows = [header, ...items.map((item) => columns.map((path) => cell(at(item, path))))];
  const widths = columns.map((_path, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function at(item: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }, item);
}

function cell(value: unknown): string {
  const text = printable(shown(value)).replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL - 1)}…` : text;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',') || '-';
  if (isCounts(value)) return countsOf(value);
  return JSON.stringify(value);
}

/** Columns of the lists that are shown as tables, by the lists' names. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** A line for each field, and under a field with structure its own. Fields that say nothing are left out. */
export function detailsOf(value: unknown, tables: Tables = {}, indent = ''): string {
  if (!isRecord(value)) return indent + printable(shown(value));
  const entries = Object.entries(value).filter(([, field]) => !isEmpty(field));
  const width = Math.max(0, ...entries.map(([name]) => name.length)) + 1;
  return entries
    .map(([name, field]) => {
      const columns = tables[name];
      if (columns === undefined || !Array.isArray(field)) return fieldOf(name, field, indent, width);
      return `${indent}${name}:\n${tableOf(field, columns).replaceAll(/^/gm, `${indent}  `)}`;
    })
    .join('\n');
}

function fieldOf(name: string, field: unknown, indent: string, width: number): string {
  if (isCounts(field)) return `${indent}${`${name}:`.padEnd(width)} ${countsOf(field)}`;
  if (isRecord(field)) return `${indent}${name}:\n${detailsOf(field, {}, `${indent}  `)}`;
  if (Array.isArray(field) && field.some(isRecord)) {
    const items = field.map((item) => detailsOf(item, {}, `${indent}  `));
    return `${indent}${name}:\n${items.join(`\n${indent}  --\n`)}`;
  }
  const text = printable(shown(field)).replaceAll('\n', `\n${indent}  `);
  return `${indent}${`${name}:`.padEnd(width)} ${text}`;
}

function isCounts(field: unknown): field is Record<string, number> {
  return isRecord(field) && Object.values(field).every((value) => typeof value === 'number');
}

/** Many kinds of things are counted, and of most there are none. */
function countsOf(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count !== 0);
  return some.map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(field: unknown): boolean {
  if (field === null || field === undefined || field === '') return true;
  if (Array.isArray(field)) return field.length === 0;
  return isRecord(field) && Object.keys(field).length === 0;
}
