/** The numbers of a board's statistics. */
import { MINUTE_MS } from '../units.ts';

/** What should have gone on this long ago and did not: the reaper comes every minute, and may take one. */
export const STUCK_MS = 2 * MINUTE_MS;
/** Queues that the gauges of an installation read side by side. */
export const QUEUES_AT_ONCE = 8;
/** The gauges are taken this often: they read every queue's lanes, at some $3 a month for 100 queues each minute. */
export const GAUGES_EVERY_MS = 5 * MINUTE_MS;
/** The longest that taking them may last. */
export const GAUGES_BUDGET_MS = 8_000;
/** Columns that are measured by themselves, at most: at six metrics of $0.30 each, 50 are $90 a month. */
export const MEASURED_COLUMNS_MAX = 50;
/** Of the ready cards those with the lowest ranks are asked since when they are ready. */
export const OLDEST_CANDIDATES = 25;
