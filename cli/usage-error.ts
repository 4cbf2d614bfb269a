/** A mistake on the command line or in a file that it names; its message says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
