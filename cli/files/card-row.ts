/** One card of a file, whatever the file's format. */
import type { Card, CardInput } from '../../client/index.ts';
import { UsageError } from '../usage-error.ts';

/** A card with where it stood in the file. */
export interface CardRow {
  readonly line: number;
  /** Name or id of its column, where the file says. */
  readonly column: string | null;
  readonly card: CardInput;
}

/** Fields that a file may set, by kind. */
export const TEXT_FIELDS = [
  'title',
  'body',
  'assignee',
  'tenant',
  'scheduled_at',
  'dedupe_key',
  'workflow_template_id',
  'current_step_key',
] as const;
export const NUMBER_FIELDS = ['priority', 'max_attempts', 'max_runtime_seconds'] as const;
export const FLAG_FIELDS = ['draft', 'hold', 'container'] as const;
export const LIST_FIELDS = ['labels', 'skills'] as const;
const OTHER_FIELDS = ['properties', 'model'] as const;

const SETTABLE: ReadonlySet<string> = new Set([
  ...TEXT_FIELDS,
  ...NUMBER_FIELDS,
  ...FLAG_FIELDS,
  ...LIST_FIELDS,
  ...OTHER_FIELDS,
]);

/** What an exported card says of its life on its board, and a new card cannot have. */
export const LIVED_FIELDS: ReadonlySet<string> = new Set<keyof Card | 'column'>([
  'id',
  'key',
  'board_id',
  'column',
  'column_id',
  'state',
  'waiting_on',
  'waiting_detail',
  'block',
  'reserved_until',
  'attempt',
  'fence',
  'container_id',
  'abandoned_by',
  'lease',
  'cancel_requested',
  'counts',
  'created_by',
  'created_at',
  'updated_at',
  'rev',
  'output',
  'summary',
  'deduplicated',
  'traceparent',
]);

/** @throws UsageError for a field that a card does not have, and for a card without a title. */
export function rowOf(line: number, fields: Readonly<Record<string, unknown>>): CardRow {
  const unknown = Object.keys(fields).find((name) => !SETTABLE.has(name) && !LIVED_FIELDS.has(name));
  if (unknown === 'type') {
    throw new UsageError(
      `Line ${line} is of a board's export, which \`leaseboard board import\` takes: it is no backlog.`,
    );
  }
  if (unknown !== undefined) {
    throw new UsageError(`Line ${line}: a card has no "${unknown}". Put what is your own into "properties".`);
  }
  const { title, column } = fields;
  if (typeof title !== 'string' || title.trim() === '')
    throw new UsageError(`Line ${line}: a card needs a title.`);
  const set = Object.entries(fields).filter(([name, value]) => SETTABLE.has(name) && value !== null);
  return {
    line,
    column: typeof column === 'string' && column !== '' ? column : null,
    card: { ...Object.fromEntries(set), title },
  };
}
