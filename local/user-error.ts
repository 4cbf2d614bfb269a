/**
 * Something that the person at the keyboard can put right: its message says what was wrong and what to do, and
 * is printed without a stack.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** 2 for a command line that was wrong, 1 for everything else. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
