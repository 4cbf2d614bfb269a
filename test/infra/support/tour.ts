/**
 * A tour of the product: the whole stack on this machine, and requests that make each function do everything that
 * it asks of AWS for. The clock is moved on for what takes hours.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import type { FunctionName } from '../../../functions/manifest.ts';
import { loadFunctions } from '../../../local/functions.ts';
import type { RoutedFunction } from '../../../local/gateway.ts';
import type { Handler } from '../../../local/lambda.ts';
import { installAdminToken } from '../../../local/install-admin-token.ts';
import { startStack, type Stack } from '../../../local/stack.ts';
import { waitUntil } from '../../../local/wait-until.ts';
import { CallRecorder } from './call-recorder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A receiver that asks for more than the queue can put off makes the sender write a schedule. */
const RETRY_AFTER_SECONDS = 7_200;
const ONE_FILE = Buffer.from('a file').toString('base64');
const ONE_FILE_BYTES = 6;
/** Fields of answers that nobody else may see. */
const SECRET_FIELD = /\\?"(?:token|lease_token|secret|upload_url|download_url)\\?":\\?"([^"\\]+)/g;
/** Enough for each card's lease to end and be taken over. */
const CLAIMS = 4;
/** Enough for a board to be found quiet, emptied and removed. */
const REMOVAL_RUNS = 6;
/** Children of one parent: more than one look takes in. */
const FAN = 30;
const FAN_LIMIT_MS = 30_000;

type Json = Record<string, unknown>;
type Functions = Record<FunctionName, RoutedFunction>;

export interface Toured {
  /** What each function has needed on the way. */
  readonly recorder: CallRecorder;
  /** Every line that the functions have written. */
  readonly log: readonly string[];
  /** Every secret that was answered. */
  readonly secrets: ReadonlySet<string>;
  /** The events of the board, as they were sent. */
  readonly events: string;
}

/** Walks through the product. */
export async function tour(): Promise<Toured> {
  const recorder = new CallRecorder();
  const loaded: { functions?: Functions } = {};
  const stack = await startStack(OPTIONS, rethrow, {
    installAdminToken,
    loadFunctions: async () => {
      loaded.functions = recorded(recorder, await loadFunctions());
      return loaded.functions;
    },
  });
  const receiver = await startReceiver();
  const log: string[] = [];
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    log.push(String(line));
    return true;
  });
  const guide = new Guide(stack, recorder, receiver, loaded.functions);
  try {
    const events = await walk(guide);
    return { recorder, log, secrets: guide.secrets, events };
  } finally {
    guide.end();
    output.mockRestore();
    receiver.close();
    await stack.stop();
    recorder.stop();
  }
}

const OPTIONS = {
  port: 0,
  directory: null,
  adminToken: null,
  reaperSeconds: null,
  dynamodbUrl: null,
  oidcFile: null,
  demo: false,
} as const;

function rethrow(what: string, error: unknown): void {
  throw new Error(what, { cause: error });
}

function recorded(recorder: CallRecorder, functions: Functions): Functions {
  const entries = Object.entries(functions) as [FunctionName, RoutedFunction][];
  const wrapped = entries.map(([name, target]) => [
    name,
    { ...target, handler: recorder.wrap(name, target.handler) as Handler },
  ]);
  return Object.fromEntries(wrapped) as Functions;
}

interface Receiver {
  readonly url: string;
  /** Resolves with the first request. */
  readonly seen: Promise<void>;
  readonly close: () => void;
}

/** A receiver that puts off for hours: the sender schedules, and the reaper finds what is overdue by then. */
async function startReceiver(): Promise<Receiver> {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(429, { 'retry-after': String(RETRY_AFTER_SECONDS) }).end();
    resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, seen, close: () => void server.close() };
}

class Guide {
  readonly recorder: CallRecorder;
  readonly receiver: Receiver;
  readonly secrets = new Set<string>();
  readonly #stack: Stack;
  readonly #functions: Functions | undefined;
  readonly #clock: ReturnType<typeof vi.spyOn>;
  #ahead = 0;

  constructor(stack: Stack, recorder: CallRecorder, receiver: Receiver, functions: Functions | undefined) {
    this.recorder = recorder;
    this.secrets.add(stack.adminToken);
    this.receiver = receiver;
    this.#stack = stack;
    this.#functions = functions;
    const now = Date.now.bind(Date);
    this.#clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + this.#ahead);
  }

  end(): void {
    this.#clock.mockRestore();
  }

  /** @throws Error for every answer that is no success: a tour that goes wrong shows nothing. */
  async call(method: string, path: string, body?: Json, headers?: Record<string, string>): Promise<Json> {
    const { status, text } = await this.send(method, path, body, headers);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  }

  async send(method: string, path: string, body?: Json, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#stack.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#stack.adminToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    for (const [, secret = ''] of text.matchAll(SECRET_FIELD)) this.secrets.add(secret);
    return { status: response.status, text };
  }

  async post(path: string, body?: Json, headers?: Record<string, string>): Promise<Json> {
    return this.call('POST', path, body ?? {}, headers);
  }

  /** Calls a tool over MCP. */
  async tool(name: string, given: Json): Promise<Json> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { result } = await this.post('/mcp', message, { accept: 'application/json, text/event-stream' });
    const { isError, structuredContent } = result as { isError?: boolean; structuredContent?: Json };
    if (isError === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
    return structuredContent ?? {};
  }

  /** Runs the reaper once, so much later. */
  async reapAfter(ms: number): Promise<void> {
    this.goOn(ms);
    await this.#functions?.reaper.handler({}, undefined as never);
  }

  /** A request of CloudFormation's, answered at the receiver. */
  async setUp(type: 'Create' | 'Delete', kind: string, code: object, id: string): Promise<void> {
    const request = {
      RequestType: type,
      ResponseURL: this.receiver.url,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Resource',
      PhysicalResourceId: id,
      ResourceProperties: { Kind: kind, Code: JSON.stringify(code) },
    };
    // The receiver refuses, as it refuses everything; by then all calls are made.
    await Promise.resolve(this.#functions?.setup.handler(request, undefined as never)).catch(() => undefined);
  }

  /** Lets so much time pass. */
  goOn(ms: number): void {
    this.#ahead += ms;
  }
}

/** @returns the events of the board, before it is deleted. */
async function walk(guide: Guide): Promise<string> {
  await setupWalk(guide);
  const board = await guide.post('/v1/boards', { name: 'Tour' });
  const [ready = ''] = columnsNamed(board, 'Ready');
  const path = `/v1/boards/${String(board['id'])}`;
  const queue = `${path}/columns/${ready}`;
  const card = await webhookWalk(guide, path);
  await guide.call('PUT', `${queue}/contract`, { enabled: true, lease_ttl_seconds: 5, concurrency_limit: 3 });
  // A limit is in force once every instance knows the contract.
  await guide.reapAfter(MINUTE_MS);
  await workerWalk(guide, path, queue, ready);
  await toolsWalk(guide, String(board['id']), ready);
  await halfGraphWalk(guide, path, card);
  await fanWalk(guide);
  await transferWalk(guide, path);
  const { text } = await guide.send('GET', `${path}/events?limit=100`);
  await guide.call('DELETE', `${path}?hard=true`);
  for (let run = 0; run < REMOVAL_RUNS; run += 1) await guide.reapAfter(2 * MINUTE_MS);
  return text;
}

function columnsNamed(board: Json, name: string): string[] {
  return (board['columns'] as { id: string; name: string }[])
    .filter((column) => column.name === name)
    .map(({ id }) => id);
}

async function setupWalk(guide: Guide): Promise<void> {
  const columns = [{ name: 'Work', role: 'work', contract: { enabled: true } }];
  const board = { slug: 'coded', name: 'Coded', columns };
  await guide.setUp('Create', 'board', board, 'none');
  await guide.setUp('Create', 'board', board, 'none');
  const { id } = await guide.call('GET', '/v1/boards/coded');
  const webhook = {
    board: 'coded',
    url: guide.receiver.url,
    types: ['card.created'],
    description: 'As code',
  };
  await guide.setUp('Create', 'webhook', webhook, 'none');
  const { items } = await guide.call('GET', '/v1/boards/coded/webhooks');
  const [made] = items as Json[];
  await guide.setUp('Delete', 'webhook', {}, `${String(id)}/${String(made?.['id'])}`);
  await guide.setUp('Create', 'admin-token', {}, 'none');
  await guide.post('/v1/tokens', { name: 'made', scopes: ['worker'] });
}

async function webhookWalk(guide: Guide, path: string): Promise<unknown> {
  const { url, seen } = guide.receiver;
  const since = new Date(Date.now() - MINUTE_MS).toISOString();
  const { id: card } = await guide.post(`${path}/cards`, { title: 'From before the webhook' });
  const { id } = await guide.post(`${path}/webhooks`, { url, types: ['card.created'] });
  await guide.post(`${path}/cards`, { title: 'Seen by the webhook' });
  await seen;
  await guide.post(`${path}/webhooks/${String(id)}:test`);
  await guide.post(`${path}/webhooks/${String(id)}:recover`, { since });
  return card;
}

/** The sort key that a command is about; empty where it is about none or several. */
function keyOf(call: unknown): string {
  const { input } = call as { input?: { Key?: { sk?: string }; Item?: { sk?: string } } };
  return input?.Key?.sk ?? input?.Item?.sk ?? '';
}

/** The fan-out looks for the timers of other cards too. */
function isTimerOf(call: unknown, card: unknown): boolean {
  const { input } = call as { input?: { Key?: { pk?: string } } };
  return input?.Key?.pk === card && keyOf(call).startsWith('TIMER#');
}

/** A graph whose maker dies right after its commit: the reaper joins it to the card that was there before. */
async function halfGraphWalk(guide: Guide, path: string, parent: unknown): Promise<void> {
  const graph = { cards: [{ ref: 'a', title: 'In a graph' }], links: [{ parent, child: 'a' }] };
  guide.recorder.failOnce((name, call) => name === 'api' && keyOf(call).startsWith('CHILD#'));
  await guide.send('POST', `${path}/graphs`, graph);
  await guide.reapAfter(2 * MINUTE_MS);
}

/** More children than the call that completes their parent looks at: the fan-out does the rest. */
async function fanWalk(guide: Guide): Promise<void> {
  const board = await guide.post('/v1/boards', { name: 'Fan' });
  const [column_id = ''] = columnsNamed(board, 'Ready');
  const path = `/v1/boards/${String(board['id'])}`;
  const children = Array.from({ length: FAN }, (_, at) => `child-${at}`);
  const cards = ['parent', ...children].map((ref) => ({ ref, title: ref, column_id }));
  const links = children.map((child) => ({ parent: 'parent', child }));
  const made = await guide.post(`${path}/graphs`, { cards, links });
  const { parent } = made['cards'] as Record<string, string>;
  await guide.post(`/v1/cards/${parent}:complete`);
  await waitUntil('the children to be ready', FAN_LIMIT_MS, async () => {
    const { counts } = await guide.call('GET', path);
    return (counts as { ready: number }).ready === FAN;
  });
}

/** The board as it is by now goes to another one, twice. */
async function transferWalk(guide: Guide, path: string): Promise<void> {
  const copy = await guide.post('/v1/boards', { name: 'Copy', template: 'empty' });
  for (let from: string | null = ''; from !== null;) {
    const { items, next_cursor } = await guide.call('GET', `${path}/export?limit=20${from}`);
    for (let time = 0; time < 2; time += 1) {
      await guide.post(`/v1/boards/${String(copy['id'])}/import`, { rows: items });
    }
    from = typeof next_cursor === 'string' ? `&cursor=${next_cursor}` : null;
  }
}

async function workerWalk(guide: Guide, path: string, queue: string, column: string): Promise<void> {
  const card = (title: string, more: Json = {}) =>
    guide.post(`${path}/cards`, { title, column_id: column, ...more });
  const first = await card('First', { body: 'x'.repeat(2_000) });
  const parent = await card('Parent');
  await card('Child', { parents: [parent['id']] });
  await filesWalk(guide, `/v1/cards/${String(first['id'])}/attachments`);
  await guide.call('GET', `${path}/cards`);
  await finish(guide, queue, { artifacts: ['a.txt', 'b.txt'] });
  // It dies before it has looked at the child, and so does the fan-out: the next claim finds the timer.
  for (const died of ['lease', 'fanout'])
    guide.recorder.failOnce((name, call) => name === died && isTimerOf(call, parent['id']));
  await finish(guide, queue, {});
  guide.goOn(MINUTE_MS);
  await guide.post(`${queue}:claim-next`, {}, { 'idempotency-key': 'tour' });
  // Its lease ends unheard; the next claims take it over, and the reaper the last.
  await card('Left');
  for (let time = 0; time < CLAIMS; time += 1) {
    guide.goOn(MINUTE_MS);
    await guide.post(`${queue}:claim-batch`, { max: 3 });
  }
  await guide.reapAfter(HOUR_MS);
}

/** One file comes with the request, one is uploaded, and one is removed again. */
async function filesWalk(guide: Guide, path: string): Promise<void> {
  const type = { content_type: 'text/plain' };
  await guide.post(path, { name: 'a.txt', ...type, content_base64: ONE_FILE });
  const { id } = await guide.post(path, { name: 'c.txt', ...type, content_base64: ONE_FILE });
  await guide.call('GET', path);
  await guide.call('DELETE', `${path}/${String(id)}`);
  const { upload_url: url, upload_headers: headers } = await guide.post(path, {
    name: 'b.txt',
    ...type,
    size: ONE_FILE_BYTES,
  });
  await guide.call('GET', path);
  const body = Buffer.from(ONE_FILE, 'base64');
  await fetch(String(url), { method: 'PUT', headers: headers as Record<string, string>, body });
}

async function finish(guide: Guide, queue: string, more: Json): Promise<void> {
  const { lease_id: id, lease_token } = await guide.post(`${queue}:claim-next`);
  await guide.post(`/v1/leases/${String(id)}:renew`, { lease_token });
  await guide.post(`/v1/leases/${String(id)}:complete`, { lease_token, ...more });
}

async function toolsWalk(guide: Guide, board: string, column: string): Promise<void> {
  const made = await guide.tool('create_card', { board_id: board, column_id: column, title: 'By a tool' });
  const card = { card_id: made['id'] };
  await guide.tool('get_board', { board_id: board });
  await guide.tool('list_cards', { board_id: board });
  const file = { name: 'c.txt', content_type: 'text/plain' };
  const kept = await guide.tool('create_attachment', { ...card, ...file, content_base64: ONE_FILE });
  await guide.tool('create_attachment', { ...card, ...file, size: ONE_FILE_BYTES });
  await guide.tool('list_attachments', card);
  await guide.tool('delete_attachment', { ...card, attachment_id: kept['id'] });
}
