/** Cards and their attempts as the API answers them. */
import * as z from 'zod';
import { BLOCK_KINDS, CARD_STATES, RUN_OUTCOMES, WAITING_ON } from '../../model/states.ts';
import { count, FieldFault, JsonObject, text, textOrNull, Time, TimeOrNull } from './parts.ts';
import { ProblemAnswer } from './problem.ts';

const CardLease = z.object({
  id: text,
  card_id: text,
  agent: text,
  attempt: count,
  claimed_at: Time,
  expires_at: Time,
  expired: z.boolean(),
  heartbeat_at: TimeOrNull,
  progress: z.number().nullable(),
  note: textOrNull,
});

const summary = {
  id: text,
  key: text.meta({ description: 'The board’s prefix and a number, for people: `BUG-12`' }),
  board_id: text,
  column_id: text,
  title: text,
  state: z.enum(CARD_STATES),
  waiting_on: z.enum(WAITING_ON).nullable(),
  waiting_detail: z
    .union([z.array(text), z.array(FieldFault), text])
    .nullable()
    .meta({ description: 'Ids of open parents, faults against the input schema, or the time it waits for' }),
  block: z.object({ kind: z.enum(BLOCK_KINDS).nullable(), reason: text, by: text, at: Time }).nullable(),
  priority: z.int().min(0).max(9),
  assignee: textOrNull,
  reserved_until: TimeOrNull.meta({
    description: 'Asked for changes: until when the assignee has it to itself, and then nobody',
  }),
  tenant: textOrNull,
  labels: z.array(text),
  skills: z.array(text),
  model: z.object({ name: text, provider: textOrNull }).nullable(),
  scheduled_at: TimeOrNull,
  dedupe_key: textOrNull,
  max_attempts: count.nullable(),
  max_runtime_seconds: z.number().nullable(),
  attempt: count,
  fence: count,
  draft: z.boolean(),
  hold: z.boolean(),
  container: z.boolean(),
  container_id: textOrNull,
  abandoned_by: z.object({ agent: text, attempt: count, at: Time, checkpoint: textOrNull }).nullable(),
  lease: CardLease.nullable(),
  cancel_requested: z.object({ by: text, reason: text, at: Time }).nullable(),
  counts: z.object({
    comments: count,
    attachments: count,
    parents_open: count,
    children: count,
    runs: count,
  }),
  workflow_template_id: textOrNull,
  current_step_key: textOrNull,
  created_by: text,
  created_at: Time,
  updated_at: Time,
  rev: count,
};

export const CardSummaryAnswer = z
  .object(summary)
  .meta({ id: 'CardSummary', description: 'A card without its body, properties and output' });

const whole = {
  ...summary,
  body: text,
  properties: JsonObject,
  output: z.unknown(),
  summary: textOrNull,
  traceparent: textOrNull.meta({ description: 'W3C trace context of the request that made it, to go on with' }),
};

export const CardAnswer = z.object(whole).meta({ id: 'Card', description: 'The whole card' });

export const CreatedCardAnswer = z.object({ ...whole, deduplicated: z.boolean().optional() }).meta({
  id: 'CreatedCard',
  description: 'The card made, or with `deduplicated` the open one of the same key',
});

const refusedRow = { status: z.int(), error: ProblemAnswer };

export const CardsCreatedAnswer = z.object({
  items: z.array(
    z.union([
      z.object({ index: count, status: z.int(), card: CreatedCardAnswer }),
      z.object({ index: count, ...refusedRow }),
    ]),
  ),
});

export const BulkAnswer = z.object({
  items: z.array(
    z.union([
      z.object({ id: text, status: z.int(), card: CardAnswer.nullable() }),
      z.object({ id: text, ...refusedRow }),
    ]),
  ),
});

export const RunAnswer = z
  .object({
    id: text,
    card_id: text,
    column_id: textOrNull,
    number: count,
    attempt: count,
    agent: textOrNull,
    outcome: z.enum(RUN_OUTCOMES).nullable().meta({ description: 'Null while it goes on' }),
    summary: textOrNull,
    metadata: z.unknown(),
    output: z.unknown(),
    error: textOrNull,
    checkpoint: textOrNull,
    refunded: z.boolean(),
    late: z.boolean(),
    ended_by: textOrNull,
    started_at: TimeOrNull,
    ended_at: TimeOrNull,
  })
  .meta({ id: 'Run', description: 'One attempt at a card' });
