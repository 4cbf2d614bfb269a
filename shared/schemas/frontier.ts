/** Query of the frontier. */
import * as z from 'zod';
import { AgentName } from './claims.ts';
import { idText } from './text.ts';

export const FrontierQuery = z.strictObject({ agent: AgentName.optional(), column: idText.optional() });
export type FrontierQuery = z.infer<typeof FrontierQuery>;
