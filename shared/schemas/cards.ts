/** Bodies and queries of the card verbs. */
import * as z from 'zod';
import { CONTRACT_BOUNDS } from '../contract/contract-fields.ts';
import { CARD_STATES, MAX_PRIORITY } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import { LeaseToken } from './leases.ts';
import { flag, paging } from './paging.ts';
import { idText, jsonRecord, jsonValue, utf8 } from './text.ts';
import { isoTime } from './time.ts';

const Title = z
  .string()
  .regex(/\S/, 'must have a character other than spaces')
  .refine((text) => text.isWellFormed(), { message: 'must be well-formed Unicode' })
  .refine((text) => Array.from(text).length <= LIMITS.titleCharacters, {
    message: `must be at most ${LIMITS.titleCharacters} characters`,
  });
const Tag = utf8(LIMITS.tagBytes, 1);
const Name = utf8(LIMITS.modelNameBytes, 1);
const Reason = utf8(LIMITS.reasonBytes, 1);

/** What people set on a card, at its creation and later; null is as good as left out, and on PATCH clears it. */
const fields = {
  body: utf8(LIMITS.bodyBytes).nullable(),
  priority: z.number().int().min(0).max(MAX_PRIORITY),
  assignee: utf8(LIMITS.assigneeBytes, 1).nullable(),
  tenant: utf8(LIMITS.tenantBytes, 1).nullable(),
  labels: z.array(Tag).max(LIMITS.labels).nullable(),
  skills: z.array(Tag).max(LIMITS.skills).nullable(),
  model: z.strictObject({ name: Name, provider: Name.nullable().optional() }).nullable(),
  scheduled_at: isoTime.nullable(),
  max_attempts: between(CONTRACT_BOUNDS.max_attempts).nullable(),
  max_runtime_seconds: between(CONTRACT_BOUNDS.max_runtime_seconds).nullable(),
  draft: z.boolean(),
  hold: z.boolean(),
  container: z.boolean(),
  container_id: idText.nullable(),
  workflow_template_id: Name.nullable(),
  current_step_key: Name.nullable(),
};

function between({ least, most }: { least: number; most: number }) {
  return z.number().int().min(least).max(most);
}

export const CreateCardBody = z.strictObject({
  column_id: idText.optional(),
  title: Title,
  properties: jsonRecord(LIMITS.propertiesBytes).optional(),
  dedupe_key: utf8(LIMITS.dedupeKeyBytes, 1).nullable().optional(),
  parents: z
    .array(idText)
    .max(LIMITS.parents)
    .refine((ids) => new Set(ids).size === ids.length, { message: 'each parent once' })
    .optional(),
  /** Of the lease under which its creator holds the container. */
  lease_token: LeaseToken.optional(),
  ...z.object(fields).partial().shape,
});
export type CreateCardBody = z.infer<typeof CreateCardBody>;

/** Its rows are checked one by one, so that a bad one is that row's answer and stops no other. */
export const CreateCardsBody = z.strictObject({
  cards: z.array(z.unknown()).min(1).max(LIMITS.batch),
});
export type CreateCardsBody = z.infer<typeof CreateCardsBody>;

const patch = {
  title: Title.optional(),
  /** Merged key by key; null removes a key. */
  properties: jsonRecord(LIMITS.propertiesBytes).optional(),
  ...z.object(fields).partial().shape,
};
const CardPatch = z.strictObject(patch);
export type CardPatch = z.infer<typeof CardPatch>;

export const PatchCardBody = z.strictObject({ ...patch, lease_token: LeaseToken.optional() });
export type PatchCardBody = z.infer<typeof PatchCardBody>;

const forced = { force: z.boolean().optional(), reason: Reason.optional() };
const needsReason = {
  path: ['reason'],
  message: 'force needs a reason: the worker is told, and the run keeps it',
};
const isReasoned = (body: { force?: boolean | undefined; reason?: string | undefined }): boolean =>
  body.force !== true || body.reason !== undefined;

const place = {
  before: idText.optional(),
  after: idText.optional(),
  top: z.literal(true).optional(),
  bottom: z.literal(true).optional(),
};
type Place = { [Name in keyof typeof place]?: string | true | undefined };
const onePlace = { message: 'give one of before, after, top and bottom' };
const isOnePlace = ({ before, after, top, bottom }: Place): boolean =>
  [before, after, top, bottom].filter((given) => given !== undefined).length <= 1;

export const MoveCardBody = z
  .strictObject({ column_id: idText.optional(), ...place, ...forced })
  .refine(isOnePlace, onePlace)
  .refine(isReasoned, needsReason);
export type MoveCardBody = z.infer<typeof MoveCardBody>;

/** Of archive: what a held card needs to be taken from its worker. */
export const ForceBody = z.strictObject(forced).refine(isReasoned, needsReason);
export type ForceBody = z.infer<typeof ForceBody>;

export const DeleteCardQuery = z
  .strictObject({ force: flag.optional(), reason: Reason.optional() })
  .refine(isReasoned, needsReason);
export type DeleteCardQuery = z.infer<typeof DeleteCardQuery>;

export const AssignCardBody = z
  .strictObject({ assignee: fields.assignee, ...forced })
  .refine(isReasoned, needsReason);
export type AssignCardBody = z.infer<typeof AssignCardBody>;

export const ReclaimCardBody = z.strictObject({ reason: Reason });
export type ReclaimCardBody = z.infer<typeof ReclaimCardBody>;

/** Of hold, unhold, unblock, redrive and request-cancel. */
export const ReasonBody = z.strictObject({ reason: Reason.optional() });
export type ReasonBody = z.infer<typeof ReasonBody>;

/** Of a person, who needs no lease. */
export const CompleteCardBody = z.strictObject({
  summary: utf8(LIMITS.summaryBytes).optional(),
  output: jsonValue(LIMITS.outputBytes).optional(),
  metadata: jsonRecord(LIMITS.metadataBytes).optional(),
});
export type CompleteCardBody = z.infer<typeof CompleteCardBody>;

export const ReopenCardBody = z.strictObject({ column_id: idText.optional(), reason: Reason.optional() });
export type ReopenCardBody = z.infer<typeof ReopenCardBody>;

/** Verbs that a bulk may apply. `complete` hands nothing over: a summary is of one card, and has a call of its own. */
export const BULK_VERBS = ['archive', 'delete', 'complete', 'block', 'unblock', 'redrive'] as const;

export const BulkCardsBody = z
  .strictObject({
    ids: z.array(idText).min(1).max(LIMITS.batch),
    patch: CardPatch.optional(),
    move: z
      .strictObject({ column_id: idText, ...place })
      .refine(isOnePlace, onePlace)
      .optional(),
    verb: z.enum(BULK_VERBS).optional(),
    ...forced,
  })
  .refine(({ patch, move, verb }) => patch !== undefined || move !== undefined || verb !== undefined, {
    message: 'give patch, move or verb: what to do with the cards',
  })
  .refine(({ patch, move, verb }) => verb !== 'delete' || (patch === undefined && move === undefined), {
    path: ['verb'],
    message: 'delete goes alone: a card that is deleted needs no patch and no move',
  })
  .refine(({ verb, reason }) => verb !== 'block' || reason !== undefined, {
    path: ['reason'],
    message: 'block needs a reason: whoever is to help must know what is missing',
  })
  .refine(({ ids }) => new Set(ids).size === ids.length, {
    path: ['ids'],
    message: 'each card once: a card named twice would meet itself',
  })
  .refine(isReasoned, needsReason);
export type BulkCardsBody = z.infer<typeof BulkCardsBody>;

export const ListCardsQuery = z
  .strictObject({
    ...paging,
    column: idText.optional(),
    state: z.enum(CARD_STATES).optional(),
    assignee: utf8(LIMITS.assigneeBytes, 1).optional(),
    tenant: utf8(LIMITS.tenantBytes, 1).optional(),
    label: Tag.optional(),
    workflow_template_id: Name.optional(),
    current_step_key: Name.optional(),
    q: utf8(LIMITS.searchBytes).optional(),
    sort: z.enum(['created', 'priority']).optional(),
    /** True: the archived cards, which are otherwise left out. */
    archived: flag.optional(),
  })
  .refine(({ sort, column }) => sort !== 'priority' || column !== undefined, {
    path: ['sort'],
    message:
      "'priority' is the order in which a column's cards are claimed: name the column, or sort by 'created'",
  })
  .refine(({ sort, q }) => sort !== 'priority' || q === undefined, {
    path: ['sort'],
    message: "a search goes by age: leave sort out, or say 'created'",
  });
export type ListCardsQuery = z.infer<typeof ListCardsQuery>;
