/** Bodies of the review verbs. */
import * as z from 'zod';
import { LIMITS } from '../policy.ts';
import { LeaseToken } from './leases.ts';
import { jsonRecord, utf8 } from './text.ts';

const Reason = utf8(LIMITS.reasonBytes, 1);

export const RequestReviewBody = z.strictObject({
  lease_token: LeaseToken,
  summary: utf8(LIMITS.summaryBytes).regex(/\S/, 'must say what is to be reviewed'),
  metadata: jsonRecord(LIMITS.metadataBytes).optional(),
  reviewer: utf8(LIMITS.assigneeBytes, 1).optional(),
});
export type RequestReviewBody = z.infer<typeof RequestReviewBody>;

export const RequestChangesBody = z.strictObject({ lease_token: LeaseToken, reason: Reason });
export type RequestChangesBody = z.infer<typeof RequestChangesBody>;

/** Of a person who sends a card back that nobody is reviewing. */
export const ReopenReviewBody = z.strictObject({ reason: Reason.optional() });
export type ReopenReviewBody = z.infer<typeof ReopenReviewBody>;
