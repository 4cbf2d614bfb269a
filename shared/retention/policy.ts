/** The numbers of what a board keeps, and of the work to keep to them. */
import { DAY_MS } from '../units.ts';

/** Ten years: who wants longer wants for ever. */
const MOST_DAYS = 3_650;

/**
 * Bounds of the settings, in days. Events last a week at least: a webhook is tried for 75 hours, and until then
 * its delivery sends the event's text, which lies in the log.
 */
export const RETENTION_DAYS = {
  event_retention_days: { least: 7, most: MOST_DAYS },
  run_retention_days: { least: 1, most: MOST_DAYS },
  archived_retention_days: { least: 1, most: MOST_DAYS },
} as const;

/** A board is seen to once a day: the settings are in days, and the search for old runs reads every old card. */
export const RETENTION_EVERY_MS = DAY_MS;
/** What one run of the reaper removes of one board: the table's capacity belongs to the workers. */
export const REMOVED_PER_RUN = 5_000;
/** Cards that one run of the reaper looks at for old runs of one board. */
export const WALKED_PER_RUN = 2_500;
/** Runs read at a time: one may be 250 KB, and those behind the first that stays are read for nothing. */
export const RUNS_PAGE = 10;
/** How long a fan-out remembers how long a board's events are kept. */
export const RETENTION_CACHE_MS = 60_000;
