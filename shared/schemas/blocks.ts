/** Why a card is stopped, as the verbs take it. */
import * as z from 'zod';
import { BLOCK_KINDS } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import { LeaseToken } from './leases.ts';
import { utf8 } from './text.ts';

/** Kinds that a block may be of. A dependency is taken too, and is no block: the card waits on its parents. */
const BlockKind = z.enum([...BLOCK_KINDS, 'dependency']);
export type BlockKind = z.infer<typeof BlockKind>;

const block = { kind: BlockKind.nullable().optional(), reason: utf8(LIMITS.reasonBytes, 1) };

/** Of a lease's holder. */
export const BlockBody = z.strictObject({ lease_token: LeaseToken, ...block });
export type BlockBody = z.infer<typeof BlockBody>;

/** Of a person, who needs no lease. */
export const BlockCardBody = z.strictObject(block);
export type BlockCardBody = z.infer<typeof BlockCardBody>;
