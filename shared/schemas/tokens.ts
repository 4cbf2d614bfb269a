/** Bodies and queries of the token verbs. */
import * as z from 'zod';
import { SCOPES } from '../model/states.ts';
import { Name } from './boards.ts';
import { AgentName } from './claims.ts';
import { paging } from './paging.ts';
import { idText, utf8 } from './text.ts';
import { isoTime } from './time.ts';

/** A token that is asked for more is better two. */
const REQUESTS_PER_MINUTE_MAX = 60_000;
const RequestsPerMinute = z.int().min(1).max(REQUESTS_PER_MINUTE_MAX);

export const CreateTokenBody = z.strictObject({
  name: Name,
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  board_id: idText.nullable().optional(),
  agent: AgentName.nullable().optional(),
  expires_at: isoTime.nullable().optional(),
  requests_per_minute: RequestsPerMinute.nullable().optional(),
});
export type CreateTokenBody = z.infer<typeof CreateTokenBody>;

/** A day for whoever holds the old secret to take the new one; a week at most. */
const GRACE_DEFAULT_SECONDS = 86_400;
const GRACE_MAX_SECONDS = 604_800;

export const RotateTokenBody = z.strictObject({
  grace_seconds: z.int().min(0).max(GRACE_MAX_SECONDS).default(GRACE_DEFAULT_SECONDS),
});
export type RotateTokenBody = z.infer<typeof RotateTokenBody>;

const ROLE_ARN_BYTES = 700;

export const RegisterRoleBody = CreateTokenBody.omit({ name: true, expires_at: true }).extend({
  role_arn: utf8(ROLE_ARN_BYTES, 1),
  name: Name.optional(),
});
export type RegisterRoleBody = z.infer<typeof RegisterRoleBody>;

export const ListTokensQuery = z.strictObject(paging);
export type ListTokensQuery = z.infer<typeof ListTokensQuery>;
