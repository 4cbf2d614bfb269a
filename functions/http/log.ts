/** One line of JSON per request or run, for CloudWatch Logs. No line holds a token, a body or a header. */

export type LogLevel = 'INFO' | 'WARN' | 'ERROR';

export type LogFields = Readonly<Record<string, unknown>>;

export type Log = (level: LogLevel, message: string, fields: LogFields) => void;

/**
 * Writes to standard output itself: Lambda would wrap what `console` is given into another object. `timestamp` and
 * `level` are the names that Lambda's own lines have.
 *
 * @param now Milliseconds since the epoch.
 */
export function jsonLog(now: () => number, write: (line: string) => void = writeLine): Log {
  return (level, message, fields) => {
    write(JSON.stringify({ timestamp: new Date(now()).toISOString(), level, message, ...fields }));
  };
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** An error with its stack and its causes: whole inside, where the caller's answer only has a request id. */
export function describeError(error: unknown, depth = 0): LogFields {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const deeper = cause === undefined || depth >= CAUSES_MAX ? {} : { cause: describeError(cause, depth + 1) };
  return { name, message, stack, ...deeper };
}

/** A cause may be its own cause. */
const CAUSES_MAX = 5;
