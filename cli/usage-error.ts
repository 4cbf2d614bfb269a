/** What stops a command before it asks the server; each message says what to do instead. */

/** A mistake on the command line or in a file that it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** There is no token to ask with. */
export class NoTokenError extends Error {
  override readonly name = 'NoTokenError';
}

/** A card, a column or a lease that is called something which nothing is called. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
}
