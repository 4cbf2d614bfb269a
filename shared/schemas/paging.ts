/** What every list takes: how many, and where to go on. Values come as text in a query, or as JSON from a tool. */
import * as z from 'zod';
import { PAGE_DEFAULT, PAGE_MAX } from '../policy.ts';

const CURSOR_MAX = 1_024;

export const paging = {
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
  cursor: z.string().min(1).max(CURSOR_MAX).optional(),
};

/** `true` or `false`, as text or not. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
