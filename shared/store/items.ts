/**
 * The stored shape of every item, parsed when it is read back, so that inside the engine types are trusted.
 * Times are milliseconds in `*_at`; `ttl` alone is seconds. `v` is the layout's version, on every item.
 */
import * as z from 'zod';
import type { EventType } from '../events/types.ts';
import { BLOCK_KINDS, CARD_STATES, COLUMN_ROLES, RUN_OUTCOMES, SCOPES, WAITING_ON } from '../model/states.ts';

export const LAYOUT_VERSION = 1;

/**
 * Users' JSON is kept as text: as a map it could not be stored where a number exceeds DynamoDB's range or it
 * nests deeper than 32 levels, both of which valid JSON may.
 */
export const toJsonText = (value: unknown): string => JSON.stringify(value);
const parseText = (text: string): unknown => JSON.parse(text);
const jsonText = z.string().transform(parseText);
const jsonObjectText = jsonText.pipe(z.record(z.string(), z.unknown()));

const key = { pk: z.string(), sk: z.string(), v: z.number() };
const ms = z.number();

export const ActorSchema = z.object({ type: z.enum(['agent', 'person', 'system']), id: z.string() });
export type Actor = z.infer<typeof ActorSchema>;

const LeaseNote = z.object({
  agent: z.string(),
  attempt: z.number(),
  run: z.number(),
  claimed_at: ms,
  expires_at: ms,
});

/** One event as `JOB` lists it: what a later read of the items could no longer give back. */
export const EventNoteSchema = z.object({
  /** Typed by what this version writes; read back, a newer version's is let through. */
  type: z.custom<EventType>((type) => typeof type === 'string'),
  by: ActorSchema,
  from: z.object({ column_id: z.string(), state: z.string() }).optional(),
  lease: LeaseNote.optional(),
  outcome: z.string().optional(),
  reason: z.string().optional(),
  /** Number of the run that it reports on, where there was no lease. */
  run: z.number().optional(),
  /** Column that a board's event is about. */
  column_id: z.string().optional(),
  /** Webhook that a board's event is about. */
  webhook_id: z.string().optional(),
});
export type EventNote = z.infer<typeof EventNoteSchema>;

/**
 * JOB: all that verbs decide on. `run` counts leases and is the fence; `nonce` is the hold that a token must
 * name; `sequence` counts events; `rev` counts what people edit.
 */
export const JobSchema = z.object({
  ...key,
  board_id: z.string(),
  column_id: z.string(),
  /** `deleted` is the tombstone that tells a late worker what became of its card. */
  state: z.enum([...CARD_STATES, 'deleted']),
  waiting_on: z.enum(WAITING_ON).optional(),
  lane: z.string().optional(),
  pos: z.string().optional(),
  priority: z.number(),
  rank: z.string(),
  assignee: z.string().optional(),
  /** Until when the assignee has the card to itself: asked for changes, it goes to its implementer first. */
  reserved_until: ms.optional(),
  tenant: z.string().optional(),
  labels: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),

  run: z.number(),
  attempt: z.number(),
  /** Attempts given back in this stage by release or rate limiting. */
  refunds: z.number().optional(),
  rev: z.number(),
  sequence: z.number(),
  op: z.string(),
  ev: z.array(EventNoteSchema),
  /** Names the last write, so that a writer whose answer was lost knows its own. */
  op_id: z.string().optional(),

  max_attempts: z.number().optional(),
  max_runtime_ms: z.number().optional(),
  scheduled_at: ms.optional(),
  not_before: ms.optional(),
  /** In a column whose cards age: since when it may be offered, and what one step of priority is worth in waiting. */
  ready_at: ms.optional(),
  aging_ms: z.number().optional(),
  draft: z.literal(true).optional(),
  hold: z.literal(true).optional(),
  /** The graph that it was made in, while that is not committed or the card not in its lane yet. */
  staged: z.string().optional(),
  /** It was broken down into sub-cards: never a second time. */
  decomposed: z.literal(true).optional(),
  /** It is a container; `subs_done` when it has sub-cards and all of them are done. */
  container: z.literal(true).optional(),
  subs_done: z.literal(true).optional(),
  parents_open: z.literal(true).optional(),
  /** Number of the input schema that the card's properties passed last; `input_bad` when they failed it. */
  input_no: z.number().optional(),
  input_bad: z.literal(true).optional(),

  nonce: z.string().optional(),
  agent: z.string().optional(),
  claimed_at: ms.optional(),
  expires_at: ms.optional(),
  ttl_ms: z.number().optional(),
  /** End of the lease's whole life, renewals included. */
  max_at: ms.optional(),
  /** Priority and rank at the claim, as the token has them: the token is computed again for a replay. */
  tail: z.string().optional(),
  note: z.string().optional(),
  progress: z.number().optional(),
  beat_at: ms.optional(),
  /** The slots that the lease holds under the limits it counts towards: see claim/caps.ts. */
  slot: z.string().optional(),

  /** Who worked in the stage before: four eyes. */
  prev_agent: z.string().optional(),
  /** It named no session of its own: nothing can be kept for it. */
  prev_unnamed: z.literal(true).optional(),
  abandoned: z.object({ agent: z.string(), attempt: z.number(), at: ms, run: z.number() }).optional(),
  /** Queue that it died in, for redrive; and the column of the stage before, for requested changes. */
  died_in: z.string().optional(),
  from_column_id: z.string().optional(),
  /** State that an archived card comes back to, where its facts alone do not tell. */
  archived_from: z.enum(['done', 'dead', 'blocked']).optional(),
  /** Why it is blocked. `from`: the column that it came from; `long`: the whole reason is on CARD. */
  block: z
    .object({
      kind: z.enum(BLOCK_KINDS).nullable(),
      reason: z.string(),
      by: z.string(),
      at: ms,
      from: z.string().optional(),
      long: z.literal(true).optional(),
    })
    .optional(),
  /** How often it was blocked, by kind, since it was last completed. */
  blocks: z.partialRecord(z.enum([...BLOCK_KINDS, 'none']), z.number()).optional(),
  /** A request to stop. `long`: only the reason's beginning is here, the whole is on CARD. */
  cancel: z
    .object({ by: z.string(), reason: z.string(), at: ms, long: z.literal(true).optional() })
    .optional(),
  comments: z.number().optional(),
  comments_at_claim: z.number().optional(),
  attachments: z.number().optional(),
  children: z.number().optional(),
  /** Run whose output and summary the card shows. */
  done_run: z.number().optional(),
  /** Since when it is in its state. */
  since_at: ms,
  updated_at: ms,
  ttl: z.number().optional(),
});
export type Job = z.infer<typeof JobSchema>;

const ModelSchema = z.object({ name: z.string(), provider: z.string().optional() });

/** CARD: what people read. `body` is here when short, in BODY when long. */
export const CardSchema = z.object({
  ...key,
  /**
   * Rises with every change of the texts. JOB and CARD are read side by side, which is no snapshot: a change
   * decided on a CARD from before another's is refused by this.
   */
  ver: z.number().optional(),
  board_id: z.string(),
  /** Keys of the index of a board's cards by age. */
  board: z.string(),
  created: z.string(),
  key: z.string(),
  title: z.string(),
  body: z.string().optional(),
  long_body: z.literal(true).optional(),
  properties: jsonObjectText,
  model: ModelSchema.optional(),
  dedupe_key: z.string().optional(),
  container_id: z.string().optional(),
  workflow_template_id: z.string().optional(),
  current_step_key: z.string().optional(),
  /** Whole reason of the last request to stop that was a long one. */
  cancel_reason: z.string().optional(),
  /** Whole reason of the block that it is under, when that is a long one. */
  block_reason: z.string().optional(),
  input_errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  created_by: z.string(),
  created_at: ms,
  /** Of the request that made it, as it is handed on. */
  traceparent: z.string().optional(),
});
export type Card = z.infer<typeof CardSchema>;

export const BodySchema = z.object({ ...key, board_id: z.string(), body: z.string() });

/** COMMENT: appended, never changed. */
export const CommentSchema = z.object({
  ...key,
  board_id: z.string(),
  id: z.string(),
  by: ActorSchema,
  body: z.string(),
  mentions: z.array(z.string()),
  created_at: ms,
});
export type CommentItem = z.infer<typeof CommentSchema>;

/** RUN: one attempt. Written when it ends (a checkpoint earlier); the open one is read from JOB. */
export const RunSchema = z.object({
  ...key,
  board_id: z.string(),
  column_id: z.string().optional(),
  number: z.number(),
  attempt: z.number().optional(),
  agent: z.string().optional(),
  outcome: z.enum(RUN_OUTCOMES).optional(),
  /** The verb that closed it, to know its repeat; and why a person's verb ended it. */
  verb: z.string().optional(),
  why: z.string().optional(),
  by: z.string().optional(),
  nonce: z.string().optional(),
  late: z.literal(true).optional(),
  summary: z.string().optional(),
  metadata: jsonText.optional(),
  output: jsonText.optional(),
  error: z.string().optional(),
  checkpoint: z.string().optional(),
  refunded: z.literal(true).optional(),
  dead_lettered: z.literal(true).optional(),
  next_attempt_at: ms.optional(),
  started_at: ms.optional(),
  ended_at: ms.optional(),
});
export type Run = z.infer<typeof RunSchema>;

export const BoardSchema = z.object({
  ...key,
  board_id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string().optional(),
  icon: z.string().optional(),
  key_prefix: z.string(),
  max_in_progress: z.number().optional(),
  /** How long things are kept, see retention/policy.ts. */
  event_retention_days: z.number().optional(),
  run_retention_days: z.number().optional(),
  archived_retention_days: z.number().optional(),
  column_ids: z.array(z.string()),
  archived_at: ms.optional(),
  /** Since when it is being deleted for good: to everybody but the reaper it does not exist. */
  deleting_at: ms.optional(),
  created_at: ms,
  updated_at: ms,
  rev: z.number(),
  sequence: z.number(),
  op: z.string(),
  ev: z.array(EventNoteSchema),
});
export type BoardItem = z.infer<typeof BoardSchema>;

/** COLUMN: one item a claim reads to know the column, its contract and whether it is paused. */
export const ColumnSchema = z.object({
  ...key,
  board_id: z.string(),
  name: z.string(),
  role: z.enum(COLUMN_ROLES),
  wip_limit: z.number().optional(),
  paused: z.literal(true).optional(),
  closing_at: ms.optional(),
  /** Its board's, kept here too: a claim reads the column and not the board. */
  board_closed: z.enum(['archived', 'deleting']).optional(),
  contract: z.record(z.string(), z.unknown()).optional(),
  /** Rises with every change of the input schema; cards carry the number that they passed. */
  schema_no: z.number(),
  /** The board's cap, kept here too: a claim reads the column and not the board. */
  board_limit: z.number().optional(),
  /** Since when leases without a slot are being given one, after a limit was set while they lived; by its kind. */
  adopting_at: ms.optional(),
  board_adopting_at: ms.optional(),
  agent_adopting_at: ms.optional(),
  /** Since when cards may stand in other shards than theirs; and the most shards that the column ever had. */
  reshard_at: ms.optional(),
  shards_ever: z.number().optional(),
  rev: z.number(),
  created_at: ms,
  updated_at: ms,
});
export type ColumnItem = z.infer<typeof ColumnSchema>;

/** QUEUES entry: a column that has, or had, cards to offer. `rev` is the column's when it was put. */
export const QueueEntrySchema = z.object({ ...key, board_id: z.string(), rev: z.number() });

/** GOING entry: a column, a board or a card on its way out, and since when nothing of it was found any more. */
export const GoingSchema = z.object({ ...key, board_id: z.string(), since_at: ms });
export type GoingItem = z.infer<typeof GoingSchema>;

/**
 * RETENTION entry: a board that does not keep everything, and when it is seen to next. `walk`: the card behind which
 * the search for old runs goes on; `walked` when that is over for today, and something else is not.
 */
export const RetentionSchema = z.object({
  ...key,
  board_id: z.string(),
  due_at: ms,
  walk: z.object({ pk: z.string(), created: z.string() }).optional(),
  walked: z.literal(true).optional(),
});
export type RetentionItem = z.infer<typeof RetentionSchema>;

export const SlotSchema = z.object({ ...key, card_id: z.string(), take: z.string() });

/** PULSE: when somebody could last read a column's lanes; until when its holders are awaited after an outage. */
export const PulseSchema = z.object({ ...key, at: ms, calm_until: ms.optional() });
export type PulseItem = z.infer<typeof PulseSchema>;

/** IDEM: what a repeated request is answered from. Ids and a fingerprint, never an answer or a secret. */
export const IdempotencySchema = z.object({
  ...key,
  fingerprint: z.string(),
  card_id: z.string().optional(),
  run: z.number().optional(),
  /** Number of the card's event that the request made. */
  sequence: z.number().optional(),
  board_id: z.string().optional(),
  column_id: z.string().optional(),
  graph_id: z.string().optional(),
  /** Of an import: which of its rows were made. */
  rows: z.string().optional(),
  status: z.number(),
  expires_at: ms,
  ttl: z.number(),
});
export type IdempotencyItem = z.infer<typeof IdempotencySchema>;

/** DEDUPE: the card that a board's dedupe key names. `take` names this taking: each time a card opens, it is new. */
export const DedupeSchema = z.object({
  ...key,
  board_id: z.string(),
  card_id: z.string(),
  take: z.string(),
});
export type DedupeItem = z.infer<typeof DedupeSchema>;

export const TokenSchema = z.object({
  ...key,
  name: z.string(),
  /** SHA-256 of the secret, base64url; none for a registered role. */
  hash: z.string().optional(),
  /** The secret before the last rotation, which opens until then. */
  previous: z.object({ hash: z.string(), until: ms }).optional(),
  /** The IAM role that it stands for. */
  role_arn: z.string().optional(),
  scopes: z.array(z.enum(SCOPES)),
  board_id: z.string().optional(),
  agent: z.string().optional(),
  expires_at: ms.optional(),
  revoked_at: ms.optional(),
  requests_per_minute: z.number().optional(),
  /** First use of the last day that it was used on. */
  last_used_at: ms.optional(),
  created_at: ms,
});
export type TokenItem = z.infer<typeof TokenSchema>;

/** A lane entry as the index holds it: possibly stale, never the truth. */
export const LaneEntrySchema = z.object({
  pk: z.string(),
  sk: z.string(),
  lane: z.string(),
  pos: z.string(),
  run: z.number(),
  slot: z.string().optional(),
  tenant: z.string().optional(),
  labels: z.array(z.string()).optional(),
  skills: z.array(z.string()).optional(),
  assignee: z.string().optional(),
  prev_agent: z.string().optional(),
  max_runtime_ms: z.number().optional(),
});
export type LaneEntry = z.infer<typeof LaneEntrySchema>;
