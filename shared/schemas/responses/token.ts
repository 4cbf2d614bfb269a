/** API tokens and callers as the API answers them. */
import * as z from 'zod';
import { SCOPES } from '../../model/states.ts';
import { text, textOrNull, Time, TimeOrNull } from './parts.ts';

const token = {
  id: text,
  name: text,
  scopes: z.array(z.enum(SCOPES)),
  board_id: textOrNull,
  agent: textOrNull,
  role_arn: textOrNull.meta({ description: 'Of a registered IAM role, which has no secret' }),
  requests_per_minute: z.number().nullable(),
  expires_at: TimeOrNull,
  last_used_at: TimeOrNull.meta({ description: 'Its first use on the last day that it was used, UTC' }),
  created_at: Time,
};

export const TokenAnswer = z.object(token).meta({ id: 'Token' });

export const CreatedTokenAnswer = z
  .object({ ...token, token: text.meta({ description: 'Shown here and never again' }) })
  .meta({ id: 'CreatedToken' });

export const MeAnswer = z.object({
  token_id: text,
  name: text,
  scopes: z.array(z.enum(SCOPES)),
  board_id: textOrNull,
  agent: textOrNull,
  server_time: Time,
});
