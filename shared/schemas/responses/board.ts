/** Boards, columns and contracts as the API answers them. */
import * as z from 'zod';
import { CONTRACT_BOUNDS } from '../../contract/contract-fields.ts';
import { CARD_STATES, COLUMN_ROLES } from '../../model/states.ts';
import { count, text, textOrNull, Time, TimeOrNull } from './parts.ts';

const board = {
  id: text,
  slug: text,
  name: text,
  description: textOrNull,
  icon: textOrNull,
  key_prefix: text,
  max_in_progress: count.nullable(),
  event_retention_days: count.nullable().meta({ description: 'Null: 30 days' }),
  run_retention_days: count.nullable().meta({ description: 'Null: for good' }),
  archived_retention_days: count.nullable().meta({ description: 'Null: for good' }),
  archived_at: TimeOrNull,
  created_at: Time,
  updated_at: Time,
  rev: count,
};

export const BoardAnswer = z.object(board).meta({ id: 'Board' });

const column = {
  id: text,
  board_id: text,
  name: text,
  role: z.enum(COLUMN_ROLES),
  queue: z.boolean().meta({ description: 'True when its contract is enabled' }),
  paused: z.boolean(),
  wip_limit: count.nullable(),
  created_at: Time,
  updated_at: Time,
  rev: count,
};

export const ColumnAnswer = z.object(column).meta({ id: 'Column' });

const { backoff_steps } = CONTRACT_BOUNDS;

export const ContractAnswer = z
  .object({
    enabled: z.boolean(),
    lease_ttl_seconds: count,
    max_attempts: count,
    backoff_seconds: z.array(count).min(backoff_steps.least).max(backoff_steps.most),
    backoff_jitter: z.number().min(0).max(1),
    max_runtime_seconds: count.nullable(),
    concurrency_limit: count.nullable(),
    on_success_column_id: textOrNull,
    on_failure_column_id: textOrNull,
    input_schema: z.unknown().meta({ description: 'JSON Schema 2020-12, or null' }),
    output_schema: z.unknown().meta({ description: 'JSON Schema 2020-12, or null' }),
    exclude_previous_holder: z.boolean(),
    block_recurrence_limit: count,
    changes_reserved_seconds: count,
    aging_seconds: count.nullable(),
    max_per_assignee: count.nullable(),
    shards: count,
    metrics: z
      .boolean()
      .meta({ description: 'Measured by itself, at a price: see the deployer’s documentation' }),
  })
  .meta({ id: 'Contract', description: 'What makes a column a queue' });

const counts = z.partialRecord(z.enum(CARD_STATES), count).meta({ description: 'Cards per state' });
const capped = z.boolean().meta({ description: 'True where counting stopped at 1,000' });

export const BoardDetailAnswer = z
  .object({
    ...board,
    columns: z.array(z.object({ ...column, contract: ContractAnswer, counts, capped })),
    counts,
    capped,
    events_cursor: text.meta({
      description:
        'For `since` of the events: who reads the cards after it and follows from it misses nothing',
    }),
  })
  .meta({ id: 'BoardDetail', description: 'A board with its columns, in order' });

export const RedrivenAnswer = z.object({
  redriven: count,
  refused: count,
  more: z.boolean().meta({ description: 'True when dead cards are left: call again' }),
});
