/** Bodies and queries of the token verbs. */
import * as z from 'zod';
import { SCOPES } from '../model/states.ts';
import { Name } from './boards.ts';
import { AgentName } from './claims.ts';
import { paging } from './paging.ts';
import { idText } from './text.ts';
import { isoTime } from './time.ts';

export const CreateTokenBody = z.strictObject({
  name: Name,
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  board_id: idText.nullable().optional(),
  agent: AgentName.nullable().optional(),
  expires_at: isoTime.nullable().optional(),
});
export type CreateTokenBody = z.infer<typeof CreateTokenBody>;

export const ListTokensQuery = z.strictObject(paging);
export type ListTokensQuery = z.infer<typeof ListTokensQuery>;
