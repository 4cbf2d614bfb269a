/** Times on the command line: as the API takes them, or counted from now. */
import { UsageError } from './usage-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** ISO 8601 of a time, or of `+90s`, `+15m`, `+2h`, `+3d` from now. */
export function timeOf(text: string, nowMs: number, what: string): string {
  const [, amount, unit] = /^\+(\d+)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) {
    return new Date(nowMs + Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
  }
  if (/(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError(
    `${what} takes a time with its zone, such as 2026-05-01T09:00:00Z, or +2h; not "${text}".`,
  );
}
