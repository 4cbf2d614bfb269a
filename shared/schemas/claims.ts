/** Bodies of the claim verbs. */
import * as z from 'zod';
import { LIMITS, MAX_LEASE_SECONDS, MIN_LEASE_SECONDS } from '../policy.ts';
import { utf8 } from './text.ts';

const LONGEST_WAIT_SECONDS = 20;

export const AgentName = z
  .string()
  .regex(/^[A-Za-z0-9._:/@-]{1,128}$/, 'must be 1-128 of letters, digits and . _ : / @ -');

const claim = {
  agent: AgentName.optional(),
  lease_ttl_seconds: z.number().int().min(MIN_LEASE_SECONDS).max(MAX_LEASE_SECONDS).optional(),
  with_context: z.boolean().optional(),
};

const filters = {
  wait_seconds: z.number().min(0).max(LONGEST_WAIT_SECONDS).optional(),
  tenant: utf8(LIMITS.tenantBytes, 1).optional(),
  labels: z.array(utf8(LIMITS.tagBytes, 1)).max(LIMITS.labels).optional(),
  skills: z.array(utf8(LIMITS.tagBytes, 1)).max(100).optional(),
};

export const ClaimNextBody = z.strictObject({ ...claim, ...filters });
export type ClaimNextBody = z.infer<typeof ClaimNextBody>;

export const ClaimBatchBody = z.strictObject({
  ...claim,
  ...filters,
  max: z.number().int().min(1).max(LIMITS.claimBatch).optional(),
});
export type ClaimBatchBody = z.infer<typeof ClaimBatchBody>;

export const ClaimCardBody = z
  .strictObject({
    ...claim,
    takeover: z.boolean().optional(),
    reason: utf8(LIMITS.reasonBytes, 1).optional(),
  })
  .refine((body) => body.takeover !== true || body.reason !== undefined, {
    path: ['reason'],
    message: 'a takeover needs a reason, which the displaced worker is told',
  });
export type ClaimCardBody = z.infer<typeof ClaimCardBody>;
