/** What the demo prints. */
import type { Check, Totals } from './audit.ts';
import type { Tally } from './fleet.ts';

export function totalsText(totals: Totals, tally: Tally, seconds: number): string {
  const rows: [string, string | number][] = [
    ['cards', totals.cards],
    ['claimed', totals.claimed],
    ['completed', totals.completed],
    ['failed', totals.failed],
    ['retried', totals.retried],
    ['recovered', totals.recovered],
    ['dead-lettered', totals.deadLettered],
    ['attempts given back', totals.refunded],
    ['workers lost', `${tally.killed} by kill -9, ${tally.unplugged} unplugged in process`],
    ['time', `${seconds.toFixed(1)} s, ${(totals.completed / seconds).toFixed(1)} completed a second`],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(20)} ${value}`).join('\n');
}

export function checksText(checks: readonly Check[]): string {
  return checks
    .map(({ name, passed, found }) => `  ${passed ? 'ok    ' : 'FAILED'}  ${name}: ${found}`)
    .join('\n');
}
