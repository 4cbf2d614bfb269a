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

/** `newest` goes back from what happened last. A cursor is good for the order that it came of. */
const Order = z.enum(['oldest', 'newest']).optional();

export const ListEventsQuery = z
  .strictObject({
    /** The feed's `next_cursor`, or a board's `events_cursor`; from the first event of the order when left out. */
    since: z.string().min(1).max(CURSOR_MAX).optional(),
    types: Types.optional(),
    order: Order,
    wait_seconds: z.coerce.number().min(0).max(WAIT_SECONDS_MAX).default(0),
    limit: paging.limit,
  })
  .refine(({ order, wait_seconds }) => order !== 'newest' || wait_seconds === 0, {
    path: ['wait_seconds'],
    message: 'nothing older will come: leave it out with the order `newest`',
  });
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export const ListCardEventsQuery = z.strictObject({ ...paging, order: Order });
export type ListCardEventsQuery = z.infer<typeof ListCardEventsQuery>;
