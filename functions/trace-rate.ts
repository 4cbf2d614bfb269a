/** The share of traces that the functions which answer requests record spans of; 0 for none. */
import { readEnv } from '../shared/env.ts';

export function traceRateFromEnv(): number {
  const rate = Number(readEnv('TRACE_RATE'));
  if (rate >= 0 && rate <= 1) return rate;
  throw new Error('Environment variable TRACE_RATE is no number from 0 to 1.');
}
