/** What the lists of events take. */
import * as z from 'zod';
import { EVENT_TYPES } from '../events/types.ts';
import { paging } from './paging.ts';

const CURSOR_MAX = 1_024;
/** As a claim waits: below the 29 s of a gateway. */
export const WAIT_SECONDS_MAX = 20;

/** Names of event types with commas between. */
const Types = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(EVENT_TYPES)));

export const ListEventsQuery = z.strictObject({
  /** The feed's `next_cursor`, or a board's `events_cursor`; from the oldest event kept when left out. */
  since: z.string().min(1).max(CURSOR_MAX).optional(),
  types: Types.optional(),
  wait_seconds: z.coerce.number().min(0).max(WAIT_SECONDS_MAX).default(0),
  limit: paging.limit,
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export const ListCardEventsQuery = z.strictObject(paging);
export type ListCardEventsQuery = z.infer<typeof ListCardEventsQuery>;
