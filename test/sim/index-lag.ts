/**
 * Indexes that show changes late, each entry by a delay of its own: so a card may for a while be in two lanes, or in
 * none. Late as it is, an entry never goes back to what it was.
 */
import type { Chance } from './chance.ts';
import type { IndexLag } from './configuration.ts';
import type { Scheduler } from './scheduler.ts';
import type { IndexChange } from './table/memory-table.ts';

const SPIKE_MS = 10_000;

export function laggingIndex(
  scheduler: Scheduler,
  chance: Chance,
  lag: () => IndexLag,
): (change: IndexChange, show: () => void) => void {
  let changes = 0;
  const shown = new Map<string, number>();
  return (change, show) => {
    changes += 1;
    const number = changes;
    const name = `${change.index}\n${change.hash}\n${change.name}`;
    const appear = () => {
      if ((shown.get(name) ?? 0) > number) return;
      shown.set(name, number);
      show();
    };
    const { mean, spike } = lag();
    if (mean === 0) {
      appear();
      return;
    }
    const ms = chance.with(spike) ? chance.unit() * SPIKE_MS : -Math.log(1 - chance.unit()) * mean;
    scheduler.after(ms, null, appear);
  };
}
