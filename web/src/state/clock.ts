/** The server's time, ticking once a second while somebody looks. Every countdown on the page reads this one. */
import { signal } from '@preact/signals';

const TICK_MS = 1_000;

/** Milliseconds by which this machine's clock is behind the server's. */
let offsetMs = 0;

/** Milliseconds since the epoch, as the server has it. */
export const now = signal(Date.now());

export function setServerTime(iso: string): void {
  const server = Date.parse(iso);
  if (Number.isFinite(server)) offsetMs = server - Date.now();
  tick();
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
