/** Options of the soak. */
import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly minutes: number;
  readonly cards: number;
  readonly workers: number;
  /** Seconds between kills of a worker, and of the whole stack. */
  readonly killEvery: number;
  readonly stackEvery: number;
}

/** @throws Error that says which option is wrong. */
export function parseSoakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '3' },
      cards: { type: 'string', default: '20000' },
      workers: { type: 'string', default: '16' },
      'kill-every': { type: 'string', default: '5' },
      'stack-every': { type: 'string', default: '60' },
    },
  });
  const number = (name: keyof typeof values): number => {
    const value = Number(values[name]);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not '${values[name]}'.`);
    return value;
  };
  return {
    minutes: number('minutes'),
    cards: number('cards'),
    workers: number('workers'),
    killEvery: number('kill-every'),
    stackEvery: number('stack-every'),
  };
}
