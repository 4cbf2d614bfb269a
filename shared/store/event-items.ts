/** The stored shape of events, of the pages that order them, and of how far page numbers are given out. */
import * as z from 'zod';

const common = { pk: z.string(), sk: z.string(), v: z.number(), board_id: z.string() };

/**
 * EVT: one event, frozen. `event` is its text, deflated: as JSON it is some 1.7 KB, and every KB begun is a write
 * unit. What is sent anywhere is that text, so that a redelivery is equal to the byte.
 */
export const EventRowSchema = z.object({
  ...common,
  type: z.string(),
  event: z.instanceof(Uint8Array),
  /** The feed's last page when the row was made: the event's own page is a later one, or is not there yet. */
  after_page: z.number(),
  ttl: z.number(),
});
export type EventRow = z.infer<typeof EventRowSchema>;

/** A page of the feed: who happened in which order. Put once, never changed. */
export const FeedPageSchema = z.object({
  ...common,
  /** When it was put, in ms. */
  at: z.number(),
  events: z.array(z.string()),
  /** Names this put, so that a writer whose answer was lost knows its own page. */
  op_id: z.string(),
  ttl: z.number(),
});
export type FeedPage = z.infer<typeof FeedPageSchema>;

/** FEED: every page with a number up to `reserved` may be there, none above. It never expires. */
export const FeedHeadSchema = z.object({ ...common, reserved: z.number() });
