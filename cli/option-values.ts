/** Values of flags, as commander reads them. */
import { InvalidArgumentError } from 'commander';

/** A number that can be counted to. */
export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no whole number.');
}

/** A flag that may be given several times. */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
