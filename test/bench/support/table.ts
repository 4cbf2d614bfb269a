/** The bench's table, as Markdown: what was measured beside its budget, the misses marked. */
import type { Figure } from './figure.ts';

const HEAD = ['what', 'budget', 'measured', ''] as const;
/** Decimals of figures that are no whole numbers. */
const DECIMALS = 2;

export function isMissed({ bound, measured }: Figure): boolean {
  if (bound === null) return false;
  return 'most' in bound ? measured > bound.most : measured < bound.least;
}

/** True when a budget in bold is missed: the bench fails. */
export const isFatal = (figure: Figure): boolean => figure.bold && isMissed(figure);

export function tableText(figures: readonly Figure[]): string {
  const rows = [[...HEAD], ...figures.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function cells(figure: Figure): string[] {
  const { what, measured, note } = figure;
  const verdict = isFatal(figure) ? '**MISSED**' : isMissed(figure) ? 'missed' : '';
  return [
    what,
    budget(figure),
    note === undefined ? number(measured) : `${number(measured)} (${note})`,
    verdict,
  ];
}

function budget({ bound, bold }: Figure): string {
  if (bound === null) return 'report';
  const text = 'most' in bound ? `≤ ${number(bound.most)}` : `≥ ${number(bound.least)}`;
  return bold ? `**${text}**` : text;
}

const number = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toFixed(DECIMALS)));
