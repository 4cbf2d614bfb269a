/**
 * `npm run listen -- --board SLUG`: follows a board's events on the screen and, with `--forward-to`, sends each to an
 * address as a webhook would, signed. It reads the feed, so a receiver under development needs no public address and
 * the installation no webhook.
 */
import './check-node.mjs';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isLeaseboardError, LeaseboardClient, type BoardEvent } from '../client/index.ts';
import { shownSecret } from '../shared/webhooks/secret.ts';
import { signatureHeaders } from '../shared/webhooks/signature.ts';
import { UserError } from './user-error.ts';

const HELP = `Usage: npm run listen -- --board BOARD [options]

  --board BOARD       Slug or id of the board
  --forward-to URL    Send each event there, as a webhook would
  --types A,B         Only these types of events
  --secret whsec_...  Sign with this secret (default: a new one, printed)
  --url URL           The installation (default http://127.0.0.1:8787)
  --token TOKEN       lb_<id>_<secret> (default: the admin token of npm start, from .leaseboard)
  --help              Print this
`;

const TOKEN_FILE = '.leaseboard/admin-token';
const SECRET_BYTES = 32;
const WAIT_SECONDS = 20;
/** After an answer that was none: the installation is starting again, for instance. */
const PAUSE_MS = 2_000;
const TOO_MANY_REQUESTS = 429;
const FORWARD_LIMIT_MS = 20_000;

interface ListenOptions {
  readonly board: string;
  readonly forwardTo: string | null;
  readonly types: readonly string[];
  readonly secret: Buffer;
  readonly client: LeaseboardClient;
}

async function main(): Promise<void> {
  const options = await readOptions(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return;
  }
  const { events_cursor: cursor } = await options.client.boards.get(options.board);
  if (options.forwardTo !== null) {
    console.log(`Forwarding to ${options.forwardTo}, signed with ${shownSecret(options.secret)}`);
  }
  console.log(`Listening to ${options.board}. Ctrl-C ends it.`);
  await follow(options, cursor);
}

async function follow(options: ListenOptions, from: string | null): Promise<void> {
  let since = from;
  for (;;) {
    const query = { wait_seconds: WAIT_SECONDS, ...(since === null ? {} : { since }) };
    const types = options.types.length === 0 ? {} : { types: options.types };
    try {
      const page = await options.client.events.list(options.board, { ...query, ...types });
      for (const event of page.items) await show(event, options);
      since = page.next_cursor;
    } catch (error) {
      if (isRefused(error)) throw error;
      console.error(`No answer: ${error instanceof Error ? error.message : String(error)}`);
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether asking again cannot help; a server that is away or busy is asked again. */
function isRefused(error: unknown): boolean {
  const status = isLeaseboardError(error) ? (error.status ?? 0) : 0;
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

async function show(event: BoardEvent, options: ListenOptions): Promise<void> {
  const what = [event.timestamp, event.type, event.data.card?.key ?? event.board_id, `by ${event.actor.id}`];
  const answer =
    options.forwardTo === null ? '' : ` -> ${await forward(event, options.forwardTo, options.secret)}`;
  console.log(what.join('  ') + answer);
}

/** The status, or what went wrong. */
async function forward(event: BoardEvent, url: string, secret: Buffer): Promise<string> {
  const body = JSON.stringify(event);
  const headers = {
    'content-type': 'application/json',
    ...signatureHeaders(event.id, Date.now(), body, [secret]),
  };
  try {
    const signal = AbortSignal.timeout(FORWARD_LIMIT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return reasonOf(error);
  }
}

/** `fetch` says why only in its error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function parseTarget(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UserError(`--forward-to takes an http or https address, not "${text}"`, 2);
}

async function readOptions(args: readonly string[]): Promise<ListenOptions | null> {
  const values = parse(args);
  if (values.help === true) return null;
  if (values.board === undefined) throw new UserError(`--board is missing.\n\n${HELP}`, 2);
  const token = values.token ?? (await keptToken());
  return {
    board: values.board,
    forwardTo: values['forward-to'] === undefined ? null : parseTarget(values['forward-to']),
    types: values.types === undefined ? [] : values.types.split(','),
    secret: values.secret === undefined ? randomBytes(SECRET_BYTES) : secretOf(values.secret),
    client: new LeaseboardClient({ url: values.url, token }),
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        board: { type: 'string' },
        'forward-to': { type: 'string' },
        types: { type: 'string' },
        secret: { type: 'string' },
        url: { type: 'string', default: 'http://127.0.0.1:8787' },
        token: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, 2);
  }
}

async function keptToken(): Promise<string> {
  try {
    return (await readFile(TOKEN_FILE, 'utf8')).trim();
  } catch {
    throw new UserError(
      `--token is missing, and ${TOKEN_FILE} has none: start Leaseboard here, or name a token.`,
      2,
    );
  }
}

function secretOf(text: string): Buffer {
  const secret = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (secret.length === 0) throw new UserError('--secret takes whsec_ and base64.', 2);
  return secret;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UserError || isLeaseboardError(error) ? error.message : error);
  process.exit(error instanceof UserError ? error.exitCode : 1);
}
