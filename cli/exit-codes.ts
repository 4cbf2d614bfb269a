/** What the process ends with: part of the interface, since scripts branch on it. */
import { isLeaseboardError, type Problem } from '../client/index.ts';
import { NoTokenError, UnknownNameError, UsageError } from './usage-error.ts';

export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  conflict: 5,
  invalid: 6,
  unavailable: 7,
  nothingToClaim: 8,
  commandFailed: 9,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** In words, as `leaseboard exit-codes` prints them. */
export const EXIT_CODES: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.unexpected, 'something unexpected'],
  [EXIT.usage, 'the command line is wrong'],
  [EXIT.auth, 'no token, a wrong one, or one that may not do this'],
  [EXIT.notFound, 'there is no such thing'],
  [EXIT.conflict, 'refused in the present state, a lost lease among them: repeating does not help'],
  [EXIT.invalid, 'what was sent is not valid'],
  [EXIT.unavailable, 'no answer, too many requests, or a busy table: try again later'],
  [EXIT.nothingToClaim, 'nothing to claim'],
  [EXIT.commandFailed, 'the command of `card run` failed, and its card with it'],
  [EXIT.interrupted, 'interrupted'],
];

/** By status, which also the refusals of a gateway have. */
const BY_STATUS: ReadonlyMap<number, ExitCode> = new Map([
  [0, EXIT.unavailable],
  [400, EXIT.invalid],
  [401, EXIT.auth],
  [403, EXIT.auth],
  [404, EXIT.notFound],
  [405, EXIT.invalid],
  [409, EXIT.conflict],
  [412, EXIT.conflict],
  [413, EXIT.invalid],
  [415, EXIT.invalid],
  [422, EXIT.invalid],
  [429, EXIT.unavailable],
  [502, EXIT.unavailable],
  [503, EXIT.unavailable],
  [504, EXIT.unavailable],
]);

/** Of an answer by rows: what the first row that was refused would have ended with by itself. */
export function exitCodeOfRows(answer: {
  readonly items: readonly { readonly error?: Problem }[];
}): ExitCode {
  const refused = answer.items.find(({ error }) => error !== undefined);
  if (refused?.error === undefined) return EXIT.ok;
  return BY_STATUS.get(refused.error.status) ?? EXIT.unexpected;
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof NoTokenError) return EXIT.auth;
  if (error instanceof UnknownNameError) return EXIT.notFound;
  if (isLeaseboardError(error)) return BY_STATUS.get(error.status) ?? EXIT.unexpected;
  return EXIT.unexpected;
}
