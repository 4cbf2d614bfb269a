/** The server's time, ticking once a second while somebody looks. Every countdown on the page reads this one. */
import { computed, signal } from '@preact/signals';

const TICK_MS = 1_000;
const MINUTE_MS = 60_000;

/** Milliseconds by which this machine's clock is behind the server's. */
let offsetMs = 0;

/** Milliseconds since the epoch, as the server has it. */
export const now = signal(Date.now());

/** The same, once a minute: for what is long past. */
export const minute = computed(() => now.value - (now.value % MINUTE_MS));

export function setServerTime(iso: string): void {
  const server = Date.parse(iso);
  if (Number.isFinite(server)) offsetMs = server - Date.now();
  tick();
}

/** Answers say the time to the second, and may have been long on their way: only what is further off is believed. */
const TRUSTED_MS = 5_000;

/**
 * Takes the time that an answer came with. A machine whose clock is put right, or wrong, while the page is open would
 * otherwise count leases down to the wrong end.
 *
 * @param date Header `Date` of the answer.
 */
export function checkServerTime(date: string | null): void {
  const server = Date.parse(date ?? '');
  if (Number.isFinite(server) && Math.abs(server - serverNow()) > TRUSTED_MS) {
    setServerTime(new Date(server).toISOString());
  }
}

export function serverNow(): number {
  return Date.now() + offsetMs;
}

function tick(): void {
  now.value = serverNow();
}

/** Starts ticking; a hidden page is not redrawn. */
export function startClock(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') tick();
  }, TICK_MS);
  document.addEventListener('visibilitychange', tick);
}
