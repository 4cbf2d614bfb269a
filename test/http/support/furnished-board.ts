/** A board with one of everything on it, and the requests that would reach each of them. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { allRoutes } from '../../../functions/http/all-routes.ts';
import { documentClient } from '../../../shared/store/client.ts';
import type { HttpWorld } from './http-world.ts';

export type Json = Record<string, unknown>;

/** What is on a board, by the names of the parameters that lead to it; and the token of the lease. */
export type Furnished = Readonly<
  Record<
    | 'board'
    | 'column'
    | 'card'
    | 'attachment'
    | 'lease'
    | 'lease_token'
    | 'run'
    | 'webhook'
    | 'delivery'
    | 'token_id',
    string
  >
>;

/** As an admin, who is not refused. */
export async function post(http: HttpWorld, path: string, body: Json = {}): Promise<Json> {
  const answer = await http.call({ method: 'POST', path, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A board with a queue; `column` is that queue. */
export async function emptyBoard(http: HttpWorld, name: string): Promise<{ board: string; column: string }> {
  const made = await post(http, '/v1/boards', { name });
  const columns = made['columns'] as { id: string; name: string }[];
  return { board: String(made['id']), column: columns.find((column) => column.name === 'Ready')?.id ?? '' };
}

/** A board with a card that `ada` holds, an attempt, a file, a webhook, a delivery and a token. */
export async function furnishedBoard(http: HttpWorld, name: string): Promise<Furnished> {
  const { board, column } = await emptyBoard(http, name);
  const { id: card } = await post(http, `/v1/boards/${board}/cards`, { title: name, column_id: column });
  const { id: attachment } = await post(http, `/v1/cards/${String(card)}/attachments`, FILE);
  const queue = `/v1/boards/${board}/columns/${column}`;
  const { lease_id: lease, lease_token } = await post(http, `${queue}:claim-next`, { agent: 'ada' });
  const { id: webhook } = await post(http, `/v1/boards/${board}/webhooks`, HOOK);
  const { id: delivery } = await post(http, `/v1/boards/${board}/webhooks/${String(webhook)}:test`);
  const token = { name: 'w', scopes: ['worker'], board_id: board };
  const { id: token_id } = await post(http, '/v1/tokens', token);
  const run = String(lease).replace('lse_', 'run_');
  const there = { board, column, card, attachment, lease, lease_token, run, webhook, delivery, token_id };
  return Object.fromEntries(Object.entries(there).map(([key, id]) => [key, String(id)])) as Furnished;
}

/** Everything that is stored, but the numbers of cards: one is taken before all that a card names is looked at. */
export async function stored({ world }: HttpWorld): Promise<string[]> {
  const { clientOptions, tableName: TableName } = world.table;
  const scan = new ScanCommand({ TableName, ConsistentRead: true });
  const { Items = [], LastEvaluatedKey } = await documentClient(clientOptions).send(scan);
  if (LastEvaluatedKey !== undefined) throw new Error('There is more in the table than one page.');
  return Items.filter(({ sk }) => sk !== 'NUMBER')
    .map((item) => JSON.stringify(item))
    .toSorted();
}

export const FILE = { name: 'a.txt', content_type: 'text/plain', content_base64: 'YQ==' };
export const HOOK = { url: 'http://127.0.0.1:9009/hook' };
const SWARM = { goal: 'Find out', workers: [null], verifier: null, synthesizer: null };
const GRAPH = { cards: [{ ref: 'a', title: 'New' }] };

/** What a route must be told to get as far as looking for what it is about. */
const BODIES: Readonly<Record<string, (ids: Furnished, own: string) => Json>> = {
  'POST /v1/boards/{board}/columns': () => ({ name: 'New' }),
  'PUT /v1/boards/{board}/columns/{column}/contract': () => ({ enabled: true }),
  'POST /v1/boards/{board}/cards': () => ({ title: 'New' }),
  'POST /v1/boards/{board}/cards:batch': () => ({ cards: [{ title: 'New' }] }),
  'POST /v1/boards/{board}/cards:bulk': ({ card }) => ({ ids: [card], verb: 'archive' }),
  'POST /v1/boards/{board}/graphs': () => GRAPH,
  'POST /v1/boards/{board}/graphs:swarm': () => SWARM,
  'POST /v1/boards/{board}/import': () => ({ rows: [{}] }),
  'POST /v1/boards/{board}/webhooks': () => HOOK,
  'POST /v1/boards/{board}/webhooks/{webhook}:recover': () => ({ since: '2026-01-01T00:00:00Z' }),
  'PATCH /v1/cards/{card}': () => ({ title: 'New' }),
  'POST /v1/cards/{card}:assign': () => ({ assignee: 'eve' }),
  'POST /v1/cards/{card}:move': () => ({ top: true }),
  'POST /v1/cards/{card}:block': () => ({ reason: 'why' }),
  'POST /v1/cards/{card}:reclaim': () => ({ reason: 'why' }),
  'POST /v1/cards/{card}/links': (_, own) => ({ parent_id: own }),
  'POST /v1/cards/{card}:decompose': () => GRAPH,
  'POST /v1/cards/{card}/comments': () => ({ body: 'New' }),
  'POST /v1/cards/{card}/attachments': () => FILE,
};

const QUERIES: Readonly<Record<string, (own: string) => string>> = {
  'DELETE /v1/cards/{card}/links': (own) => `?parent_id=${own}`,
};

/**
 * The request of a route about what is there, such that nothing but who asks is wrong with it.
 *
 * @param route Method and path as the table has them.
 * @param own A card of the caller's own, where a route needs two.
 * @param leaseToken What the verbs of a lease are told as its proof.
 */
export function requestOf(route: string, ids: Furnished, own: string, leaseToken = ids.lease_token) {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Furnished) => ids[name]);
  const ofLease = { lease_token: leaseToken, reason: 'why', summary: 'what' };
  const body = template.startsWith('/v1/leases/') ? taken(route, ofLease) : BODIES[route]?.(ids, own);
  const query = QUERIES[route]?.(own) ?? '';
  return { method, path: `${path}${query}`, ...(body === undefined ? {} : { body }) };
}

/** Those fields of a body that the route takes; undefined for a route without a body. */
function taken(route: string, body: Json): Json | undefined {
  const found = allRoutes.find(({ method, path }) => `${method} ${path}` === route);
  if (found === undefined || !('body' in found) || !(found.body instanceof z.ZodObject)) return undefined;
  const { shape } = found.body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in shape));
}
