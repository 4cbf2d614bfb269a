/** The numbers of a board's statistics. */

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What should have gone on this long ago and did not: the reaper comes every minute, and may take one. */
export const STUCK_MS = 2 * MINUTE_MS;
/** Of the ready cards those with the lowest ranks are asked since when they are ready. */
export const OLDEST_CANDIDATES = 25;
