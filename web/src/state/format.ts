/** Times and numbers as people read them. */

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** `42 s`, `3 min`, `2 h 5 min`, `4 d`: never more than two parts. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) {
    const rest = whole % MINUTE;
    return whole < 10 * MINUTE && rest > 0
      ? `${Math.floor(whole / MINUTE)} min ${rest} s`
      : `${Math.floor(whole / MINUTE)} min`;
  }
  if (whole < DAY) {
    const minutes = Math.floor((whole % HOUR) / MINUTE);
    return `${Math.floor(whole / HOUR)} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  }
  const hours = Math.floor((whole % DAY) / HOUR);
  return `${Math.floor(whole / DAY)} d${hours > 0 && whole < 7 * DAY ? ` ${hours} h` : ''}`;
}

/** Short form for chips: one unit. */
export function shortAge(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)}h`;
  return `${Math.floor(whole / DAY)}d`;
}

export function secondsSince(iso: string | null, now: number): number {
  return iso === null ? 0 : (now - Date.parse(iso)) / 1_000;
}

export function ago(iso: string, now: number): string {
  const seconds = secondsSince(iso, now);
  return seconds < 2 ? 'just now' : `${duration(seconds)} ago`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DATE = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

export const clockTime = (iso: string): string => CLOCK.format(new Date(iso));
export const dateTime = (iso: string): string => DATE.format(new Date(iso));

const DAY_ONLY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
export const dayOf = (iso: string): string => DAY_ONLY.format(new Date(iso));

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  if (size < 1_048_576) return `${Math.round(size / 1_024)} kB`;
  return `${(size / 1_048_576).toFixed(1)} MB`;
}
