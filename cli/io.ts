/** What a command takes from the process that it runs in, so that tests can hand in their own. */
import { homedir } from 'node:os';
import { text } from 'node:stream/consumers';

export interface Io {
  /** Data. */
  readonly out: (text: string) => void;
  /** Messages to a person, and errors. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** A person sees what goes to `err`. */
  readonly watched: boolean;
  /** A person would have to type what is read from standard input. */
  readonly typed: boolean;
  readonly readStdin: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborts on Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

export function processIo(): Io {
  return {
    out: (data) => void process.stdout.write(data),
    err: (message) => void process.stderr.write(message),
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    watched: process.stderr.isTTY,
    typed: process.stdin.isTTY,
    readStdin: async () => text(process.stdin),
    now: () => Date.now(),
    signal: interruption(),
  };
}

/** What a shell reports for a process that ended on Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/** The first signal asks, a second one does not. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  return controller.signal;
}
