/** `leaseboard doctor`: what is in the way, from the settings to the MCP handshake. */
import type { Command } from 'commander';
import { EXIT, exitCodeOf, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { SetExit } from './register.ts';
import { openSession, type Session } from './session.ts';
import type { Found } from './settings.ts';

const MS_PER_SECOND = 1000;
/** Beyond it times that are reckoned here, such as `--at +5m`, come out visibly wrong. */
const SKEW_LIMIT_MS = 5_000;
const LIMIT_MS = 10_000;
/** What a client of the era before sends first; the server speaks both. */
const HANDSHAKE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'leaseboard-doctor', version: '1' },
  },
};

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

interface Diagnosis extends Check {
  /** What the process ends with when this is the first that is not well. */
  readonly exit: ExitCode;
}

export function addDoctor(program: Command, io: Io, setExit: SetExit): void {
  program
    .command('doctor')
    .description('See whether everything is in place: settings, server, clock, token, board, MCP')
    .addHelpText('after', '\nExample:\n  leaseboard doctor --board newsroom')
    .action(async (_options: object, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      const found = await diagnose(session);
      const checks: Check[] = found.map(({ check, ok, detail }) => ({ check, ok, detail }));
      if (session.output.json) session.output.show({ ok: checks.every(({ ok }) => ok), checks });
      else
        for (const { check, ok, detail } of checks) io.out(`${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}\n`);
      setExit(found.find(({ ok }) => !ok)?.exit ?? EXIT.ok);
    });
}

async function diagnose(session: Session): Promise<Diagnosis[]> {
  const { url, token, board } = session.settings;
  const settings = well('address', `${url.value} (${url.from})`);
  const reachable = await tried('server', async () => health(session), EXIT.unavailable);
  if (!reachable.ok) return [settings, reachable];
  if (token === null) {
    return [settings, reachable, ill('token', 'none: set LEASEBOARD_TOKEN, or keep a profile', EXIT.auth)];
  }
  const me = await tried('token', async () => identity(session, token));
  if (!me.ok) return [settings, reachable, me];
  return [
    settings,
    reachable,
    me,
    await clock(session),
    ...(board === null ? [] : [await tried('board', async () => boardOf(session, board))]),
    await tried('MCP', async () => handshake(session, token)),
  ];
}

function well(check: string, detail: string): Diagnosis {
  return { check, ok: true, detail, exit: EXIT.ok };
}

function ill(check: string, detail: string, exit: ExitCode): Diagnosis {
  return { check, ok: false, detail, exit };
}

async function tried(check: string, look: () => Promise<string>, exit?: ExitCode): Promise<Diagnosis> {
  try {
    return well(check, await look());
  } catch (error) {
    return ill(check, error instanceof Error ? error.message : String(error), exit ?? exitCodeOf(error));
  }
}

async function health({ io, settings }: Session): Promise<string> {
  const before = io.now();
  const address = `${settings.url.value}/healthz`;
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error: unknown) => {
    throw new Error(`${address} does not answer: is it the right address, and does it run?`, {
      cause: error,
    });
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return `answers in ${io.now() - before} ms`;
}

async function identity({ client }: Session, { from }: Found): Promise<string> {
  const { name, scopes, agent, board_id: board } = await client.system.me();
  const bound = [agent === null ? '' : ` as ${agent}`, board === null ? '' : ` on ${board}`].join('');
  return `"${name}" (${from}), may do what ${scopes.join(', ')} may${bound}`;
}

async function clock({ client, io }: Session): Promise<Diagnosis> {
  const sent = io.now();
  const { server_time } = await client.system.me();
  const skew = Math.round((sent + io.now()) / 2 - Date.parse(server_time));
  const detail = `${Math.abs(skew / MS_PER_SECOND).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  if (Math.abs(skew) <= SKEW_LIMIT_MS) return well('clock', detail);
  return ill('clock', `${detail}: times such as --at +5m come out wrong by that`, EXIT.unexpected);
}

async function boardOf({ client }: Session, { value, from }: Found): Promise<string> {
  const { name, columns } = await client.boards.get(value);
  const queues = columns.filter(({ queue }) => queue).map((column) => column.name);
  return `"${name}" (${from}), queues: ${queues.join(', ') || 'none'}`;
}

async function handshake({ settings }: Session, token: Found): Promise<string> {
  const response = await fetch(`${settings.url.value}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token.value}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(HANDSHAKE),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const text = await response.text();
  if (response.ok && text.includes('"serverInfo"')) return 'speaks';
  throw new Error(`/mcp answers ${response.status}; agents over MCP will not get in`);
}
