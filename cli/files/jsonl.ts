/** JSON Lines: one card a line, as the API shows it. */
import { UsageError } from '../usage-error.ts';
import { rowOf, type CardRow } from './card-row.ts';

export function readJsonl(text: string): CardRow[] {
  return linesOf(text).map(({ line, object }) => rowOf(line, object));
}

/** The object of each line that is not empty. */
export function linesOf(text: string): { line: number; object: Record<string, unknown> }[] {
  const lines = text.split('\n').map((line, at) => [at + 1, line.trim()] as const);
  return lines
    .filter(([, line]) => line !== '')
    .map(([line, content]) => ({ line, object: objectOf(line, content) }));
}

function objectOf(number: number, line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new UsageError(`Line ${number} is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(`Line ${number} is no JSON object.`);
}
