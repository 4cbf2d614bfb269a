/**
 * Where the functions' lines go: a file beside the data, as in an account they go to CloudWatch Logs. On the
 * terminal, a line per request would bury the address and the token; and in a pipe that nobody reads, it would
 * stop the whole process once the pipe is full.
 */
import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

/** Two files of this size are kept: the present one and the one before. */
const FILE_BYTES = 16 * 1024 * 1024;
/** What a person should see at once, whatever becomes of the rest. */
const IS_ERROR = /"level":"ERROR"/;

export interface FunctionLog {
  /** Writes a line for the person on the terminal. */
  readonly print: (text: string) => void;
  /** Gives standard output back and writes out what is left. */
  readonly close: () => Promise<void>;
}

/**
 * Takes over standard output: from here on, what is written to it is a function's. Errors are shown on standard
 * error as well.
 *
 * @param file null keeps the errors only.
 */
export function divertFunctionLog(file: string | null): FunctionLog {
  const { stdout, stderr } = process;
  const sink = file === null ? null : rotatingFile(file);
  const own = Object.getOwnPropertyDescriptor(stdout, 'write');
  const print = stdout.write.bind(stdout);
  const divert = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    sink?.write(text);
    if (IS_ERROR.test(text)) stderr.write(text);
    const done = rest.findLast((argument) => typeof argument === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stdout.write = divert;
  return {
    print: (text) => void print(`${text}\n`),
    close: async () => {
      if (own === undefined) Reflect.deleteProperty(stdout, 'write');
      else Object.defineProperty(stdout, 'write', own);
      await sink?.close();
    },
  };
}

/** Opened at the first line: a start that fails leaves no file. */
function rotatingFile(file: string) {
  let stream: WriteStream | null = null;
  let bytes = 0;
  const open = () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return createWriteStream(file, { flags: 'a', mode: 0o600 });
  };
  return {
    write(text: string): void {
      stream ??= open();
      if (bytes > FILE_BYTES) {
        stream.end();
        renameSync(file, `${file}.1`);
        stream = open();
      }
      bytes += Buffer.byteLength(text);
      stream.write(text);
    },
    async close(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (stream === null) resolve();
      else stream.end(resolve);
      return promise;
    },
  };
}
