/** Bodies of the lease verbs. */
import * as z from 'zod';
import { FAIL_KINDS } from '../model/states.ts';
import { LIMITS, MAX_LEASE_SECONDS, MIN_LEASE_SECONDS } from '../policy.ts';
import { isStorable, LEAST_FRACTION } from './numbers.ts';
import { paging } from './paging.ts';
import { idText, jsonRecord, jsonValue, utf8 } from './text.ts';

/** Any string is a token: a wrong one is a lost lease, never a validation error. */
export const LeaseToken = z.string().max(4_096).meta({ description: 'The token that the claim answered' });
const Reason = utf8(LIMITS.reasonBytes, 1);
const RETRY_AFTER_MAX_SECONDS = 604_800;
const RetryAfter = z.number().int().min(0).max(RETRY_AFTER_MAX_SECONDS);

const tooSmall = { message: `must be 0, or no nearer to it than ${LEAST_FRACTION}` };

export const RenewBody = z.strictObject({
  lease_token: LeaseToken,
  lease_ttl_seconds: z.number().int().min(MIN_LEASE_SECONDS).max(MAX_LEASE_SECONDS).optional(),
  note: utf8(LIMITS.noteBytes).optional(),
  progress: z.number().min(0).max(100).refine(isStorable, tooSmall).optional(),
  checkpoint: utf8(LIMITS.checkpointBytes).optional(),
});
export type RenewBody = z.infer<typeof RenewBody>;

export const RenewBatchBody = z.strictObject({
  leases: z
    .array(RenewBody.extend({ lease_id: idText }))
    .min(1)
    .max(LIMITS.batch),
});
export type RenewBatchBody = z.infer<typeof RenewBatchBody>;

export const CompleteBody = z.strictObject({
  lease_token: LeaseToken,
  output: jsonValue(LIMITS.outputBytes).optional(),
  summary: utf8(LIMITS.summaryBytes).optional(),
  metadata: jsonRecord(LIMITS.metadataBytes).optional(),
  properties: jsonRecord(LIMITS.propertiesBytes).optional(),
  column_id: idText.optional(),
  artifacts: z.array(utf8(255, 1)).max(LIMITS.batch).optional(),
  created_cards: z.array(idText).max(LIMITS.batch).optional(),
});
export type CompleteBody = z.infer<typeof CompleteBody>;

export const FailBody = z.strictObject({
  lease_token: LeaseToken,
  reason: Reason,
  kind: z.enum(FAIL_KINDS).optional(),
  retryable: z.boolean().optional(),
  retry_after_seconds: RetryAfter.optional(),
  metadata: jsonRecord(LIMITS.metadataBytes).optional(),
});
export type FailBody = z.infer<typeof FailBody>;

export const ReleaseBody = z.strictObject({
  lease_token: LeaseToken,
  note: utf8(LIMITS.reasonBytes).optional(),
});
export type ReleaseBody = z.infer<typeof ReleaseBody>;

export const ListLeasesQuery = z.strictObject({
  state: z.enum(['active', 'expired']).optional(),
  column: idText.optional(),
  agent: utf8(128, 1).optional(),
  ...paging,
});
export type ListLeasesQuery = z.infer<typeof ListLeasesQuery>;

export const ListRunsQuery = z.strictObject(paging);
