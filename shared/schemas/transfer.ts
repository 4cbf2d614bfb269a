/**
 * What an export answers and an import takes: rows, each of a type. An import holds every row against these; the
 * export makes nothing else. What has no value is left out.
 */
import * as z from 'zod';
import { FILE_BYTES, SENT_NAME_BYTES } from '../attachments/policy.ts';
import { isId, type IdPrefix } from '../ids.ts';
import { BLOCK_KINDS, CARD_STATES, COLUMN_ROLES, RUN_OUTCOMES } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import { parseTraceparent } from '../trace-context.ts';
import { COUNTER_MAX, LINKS_PER_ROW, RANK_CHARACTERS } from '../transfer/policy.ts';
import { ContentType } from './attachments.ts';
import { CreateBoardBody, Name, UpdateBoardBody } from './boards.ts';
import { CreateCardBody } from './cards.ts';
import { CreateColumnBody } from './columns.ts';
import { CreateCommentBody } from './comments.ts';
import { paging } from './paging.ts';
import { jsonRecord, jsonValue, utf8 } from './text.ts';
import { isoTime } from './time.ts';

const id = (prefix: IdPrefix) =>
  z.string().refine((text) => isId(prefix, text), { message: `must be an id, as ${prefix}_...` });
const count = z.int().min(0).max(COUNTER_MAX);
const who = utf8(LIMITS.actorBytes, 1);
const actor = z.strictObject({ type: z.enum(['agent', 'person', 'system']), id: who });
const reason = utf8(LIMITS.reasonBytes);
const flag = z.literal(true).optional();

const { name, ...settings } = UpdateBoardBody.shape;

export const BoardRow = z.strictObject({
  type: z.literal('board'),
  id: id('brd'),
  slug: CreateBoardBody.shape.slug,
  name: name.unwrap(),
  ...settings,
  /** The highest number that a card's key has had. */
  numbers: count,
  exported_at: isoTime,
});
export type BoardRow = z.infer<typeof BoardRow>;

/** In the board's order. */
export const ColumnRow = z.strictObject({
  type: z.literal('column'),
  id: id('col'),
  board_id: id('brd'),
  name: Name,
  role: z.enum(COLUMN_ROLES),
  wip_limit: CreateColumnBody.shape.wip_limit,
});
export type ColumnRow = z.infer<typeof ColumnRow>;

/** Behind all columns, since it names some. */
export const ContractRow = z.strictObject({
  type: z.literal('contract'),
  column_id: id('col'),
  paused: flag,
  contract: z.record(z.string(), z.unknown()),
});
export type ContractRow = z.infer<typeof ContractRow>;

const { column_id: _column, parents: _parents, lease_token: _token, ...settable } = CreateCardBody.shape;

const RANK = new RegExp(`^[0-9A-Za-z]{0,${RANK_CHARACTERS - 1}}[1-9A-Za-z]$`);

/** What of a card only its restoring needs. */
const History = z.strictObject({
  /** Of its events. */
  sequence: count,
  rank: z.string().regex(RANK, 'must be a rank, as an export writes it'),
  /** Since when it is in its state. */
  since: isoTime,
  refunds: count.optional(),
  not_before: isoTime.optional(),
  ready_at: isoTime.optional(),
  reserved_until: isoTime.optional(),
  /** Something that it waits for was open. */
  parents_open: flag,
  subs_done: flag,
  decomposed: flag,
  died_in: id('col').optional(),
  archived_from: z.enum(['done', 'dead', 'blocked']).optional(),
  from_column_id: id('col').optional(),
  prev_agent: who.optional(),
  prev_unnamed: flag,
  blocks: z.partialRecord(z.enum([...BLOCK_KINDS, 'none']), count).optional(),
  done_run: count.optional(),
  comments: count.optional(),
  attachments: count.optional(),
});

export const CardRow = z.strictObject({
  type: z.literal('card'),
  id: id('crd'),
  board_id: id('brd'),
  column_id: id('col'),
  key: z.string().max(64),
  state: z.enum(CARD_STATES),
  ...settable,
  container_id: id('crd').optional(),
  attempt: count,
  fence: count,
  rev: count,
  /** Who held it. */
  lease: z.strictObject({ agent: who, attempt: count }).optional(),
  block: z
    .strictObject({
      kind: z.enum(BLOCK_KINDS).nullable(),
      reason,
      by: who,
      at: isoTime,
      from_column_id: id('col').optional(),
    })
    .optional(),
  abandoned_by: z.strictObject({ agent: who, attempt: count, at: isoTime, run: count }).optional(),
  history: History,
  /** Of the request that made it. */
  traceparent: z
    .string()
    .refine((text) => parseTraceparent(text) !== null, { message: 'must be a traceparent (W3C)' })
    .optional(),
  created_by: who,
  created_at: isoTime,
});
export type CardRow = z.infer<typeof CardRow>;

export const CommentRow = z.strictObject({
  type: z.literal('comment'),
  id: id('cmt'),
  card_id: id('crd'),
  /** The place of its event among the card's. */
  sequence: count.min(1),
  author: actor,
  body: CreateCommentBody.shape.body,
  created_at: isoTime,
});
export type CommentRow = z.infer<typeof CommentRow>;

export const RunRow = z.strictObject({
  type: z.literal('run'),
  card_id: id('crd'),
  number: count.min(1),
  /** Left out for the run that was going on. */
  outcome: z.enum(RUN_OUTCOMES).optional(),
  column_id: id('col').optional(),
  attempt: count.optional(),
  agent: who.optional(),
  ended_by: who.optional(),
  why: reason.optional(),
  late: flag,
  refunded: flag,
  dead_lettered: flag,
  summary: utf8(LIMITS.summaryBytes).optional(),
  metadata: jsonRecord(LIMITS.metadataBytes).optional(),
  output: jsonValue(LIMITS.outputBytes).optional(),
  error: utf8(LIMITS.summaryBytes).optional(),
  checkpoint: utf8(LIMITS.checkpointBytes).optional(),
  next_attempt_at: isoTime.optional(),
  started_at: isoTime.optional(),
  ended_at: isoTime.optional(),
});
export type RunRow = z.infer<typeof RunRow>;

/** The row without the file. */
export const AttachmentRow = z.strictObject({
  type: z.literal('attachment'),
  id: id('att'),
  card_id: id('crd'),
  name: utf8(SENT_NAME_BYTES, 1),
  content_type: ContentType,
  size: z.int().min(0).max(FILE_BYTES),
  sequence: count,
  author: actor,
  created_at: isoTime,
});
export type AttachmentRow = z.infer<typeof AttachmentRow>;

const cards = z.array(id('crd')).max(LINKS_PER_ROW).optional();

/** What a card waits for, whole: by half of it, it might be offered too early. */
export const LinksRow = z.strictObject({
  type: z.literal('links'),
  card_id: id('crd'),
  parents: cards,
  sub_cards: cards,
  /** Of these: deleted unfinished, so that it waits until somebody unlinks it. */
  gone: cards,
  /** The next row goes on with the same card. */
  more: flag,
});
export type LinksRow = z.infer<typeof LinksRow>;

/** Of NDJSON, last: where the next page begins. An import passes it over. */
const PageRow = z.strictObject({ type: z.literal('page'), next_cursor: z.string().nullable() });

/** A card that the export could not read. */
const UnreadableRow = z.strictObject({ type: z.literal('unreadable'), id: id('crd') });

export const TransferRow = z.discriminatedUnion('type', [
  BoardRow,
  ColumnRow,
  ContractRow,
  CardRow,
  CommentRow,
  RunRow,
  AttachmentRow,
  LinksRow,
  PageRow,
  UnreadableRow,
]);
export type TransferRow = z.infer<typeof TransferRow>;
export type TransferType = TransferRow['type'];

export const ExportBoardQuery = z.strictObject(paging);
export type ExportBoardQuery = z.infer<typeof ExportBoardQuery>;

/** Its rows are checked one by one, so that a bad one is that row's answer and stops no other. */
export const ImportBoardBody = z.strictObject({
  rows: z.array(z.unknown()).min(1).max(LIMITS.batch),
});
export type ImportBoardBody = z.infer<typeof ImportBoardBody>;

/** As the document shows it. */
export const ImportRows = z.strictObject({ rows: z.array(TransferRow).min(1).max(LIMITS.batch) });
