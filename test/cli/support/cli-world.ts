/** The command line against the HTTP API and the MCP function over a real table, in a home of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExitCode } from '../../../cli/exit-codes.ts';
import type { Io } from '../../../cli/io.ts';
import { run } from '../../../cli/run.ts';
import { shelf } from '../../http/support/shelf.ts';
import { createMcpWorld, type McpWorld } from '../../mcp/support/mcp-world.ts';

export interface Ran {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

export interface RunWith {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Hears what goes to standard output as it comes. */
  readonly onOut?: (text: string) => void;
}

export interface CliWorld {
  readonly mcp: McpWorld;
  /** Working folder and home of the commands. */
  readonly folder: string;
  /** Runs `leaseboard` with these words, the address and an admin's token in its environment. */
  readonly cli: (words: string, options?: RunWith) => Promise<Ran>;
  /** The same, with words that have spaces in them. */
  readonly words: (words: readonly string[], options?: RunWith) => Promise<Ran>;
  /** Runs with `--json` and answers what it printed; throws when it did not end with 0. */
  readonly json: (words: string, options?: RunWith) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

export async function createCliWorld(): Promise<CliWorld> {
  const mcp = await createMcpWorld({ bucketOf: shelf });
  const folder = await mkdtemp(join(tmpdir(), 'leaseboard-cli-'));
  const words = async (given: readonly string[], options: RunWith = {}): Promise<Ran> => {
    const env = { LEASEBOARD_URL: mcp.origin, LEASEBOARD_TOKEN: mcp.admin, ...options.env };
    return runIn(folder, given, { now: mcp.world.clock.now, ...options, env });
  };
  return {
    mcp,
    folder,
    words,
    cli: async (given, options) => words(given.split(' '), options),
    json: async (given, options) => {
      const { code, out, err } = await words([...given.split(' '), '--json'], options);
      if (code !== 0) throw new Error(`leaseboard ${given} ended with ${code}: ${err}`);
      return JSON.parse(out) as Record<string, unknown>;
    },
    close: async () => {
      await mcp.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `leaseboard` in a folder that is its home as well. */
export async function runIn(folder: string, words: readonly string[], options: RunWith = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const io: Io = {
    out: (text) => {
      out += text;
      options.onOut?.(text);
    },
    err: (text) => (err += text),
    env: { PATH: process.env['PATH'], ...options.env },
    cwd: folder,
    home: folder,
    watched: false,
    typed: false,
    readStdin: async () => options.stdin ?? '',
    now: options.now ?? (() => Date.now()),
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await run(words, io);
  return { code, out, err };
}
