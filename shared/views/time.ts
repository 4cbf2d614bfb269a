/** Times as the API writes them: ISO 8601 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : iso(ms));
