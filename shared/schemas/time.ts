/** A moment as a request names it. */
import * as z from 'zod';

/** Times stand in keys as 13 digits of milliseconds, which end in the year 2286. */
const LATEST_MS = 9_999_999_999_999;

/** ISO 8601 with a zone, between 1970 and 2286. */
export const isoTime = z.iso
  .datetime({ offset: true, error: 'must be ISO 8601 with a zone, as in 2026-01-31T09:00:00Z' })
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) <= LATEST_MS, {
    message: 'must be between the years 1970 and 2286',
  });
