import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../shared/policy.ts';
import { documentClient } from '../../shared/store/client.ts';
import { itemBytes } from '../cards/support/worst-card.ts';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';

/** DynamoDB's bound of an item, names and values. */
const ITEM_BYTES = 409_600;

let http: HttpWorld;
let board: string;
let ready: string;

type Json = Record<string, unknown>;
const post = async (path: string, body: Json) => http.call({ method: 'POST', path, body });
const patch = async (path: string, body: Json) => http.call({ method: 'PATCH', path, body });

beforeAll(async () => {
  http = await createHttpWorld();
  const { body } = await post('/v1/boards', { name: 'Bounds' });
  board = `/v1/boards/${String(body['slug'])}`;
  const columns = body['columns'] as { name: string; id: string }[];
  ready = columns.find(({ name }) => name === 'Ready')?.id ?? '';
});

async function allItems(): Promise<Json[]> {
  const client = documentClient(http.world.table.clientOptions);
  const items: Json[] = [];
  let start: Json | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: http.world.table.tableName,
        ExclusiveStartKey: start,
        ConsistentRead: true,
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  const name = ({ pk, sk }: Json): string => `${String(pk)} ${String(sk)}`;
  return items.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** JSON of so many bytes. */
const json = (bytes: number) => ({ p: 'x'.repeat(bytes - '{"p":""}'.length) });
const text = (bytes: number) => 'é'.repeat(bytes / 2);
const schema = (bytes: number) => ({ description: 'x'.repeat(bytes - '{"description":""}'.length) });
const SCHEMA_BYTES = 65_536;

const largest = (): Json => ({
  title: '𝄞'.repeat(LIMITS.titleCharacters),
  column_id: ready,
  body: text(LIMITS.bodyBytes),
  properties: json(LIMITS.propertiesBytes),
  labels: Array.from({ length: LIMITS.labels }, (_, at) => `${at}`.padEnd(LIMITS.tagBytes, 'x')),
  skills: Array.from({ length: LIMITS.skills }, (_, at) => `${at}`.padEnd(LIMITS.tagBytes, 'x')),
  tenant: text(LIMITS.tenantBytes),
  dedupe_key: 'd'.repeat(LIMITS.dedupeKeyBytes),
});

test('the largest of everything that is taken is stored in items that DynamoDB takes', async () => {
  const contract = { enabled: true, input_schema: schema(SCHEMA_BYTES), output_schema: schema(SCHEMA_BYTES) };
  const put = await http.call({ method: 'PUT', path: `${board}/columns/${ready}/contract`, body: contract });
  expect(put.status).toBe(200);
  const made = await post(`${board}/cards`, largest());
  expect(made.status).toBe(201);
  const card = `/v1/cards/${String(made.body['id'])}`;
  const comment = await post(`${card}/comments`, { body: text(LIMITS.commentBytes) });
  expect(comment.status).toBe(201);
  const claimed = await post(`${board}/columns/${ready}:claim-next`, { agent: 'ada' });
  const { lease_id: lease, lease_token } = claimed.body;
  const renewed = await post(`/v1/leases/${String(lease)}:renew`, {
    lease_token,
    note: text(LIMITS.noteBytes),
    checkpoint: text(LIMITS.checkpointBytes),
  });
  expect(renewed.status).toBe(200);
  const done = await post(`/v1/leases/${String(lease)}:complete`, {
    lease_token,
    output: json(LIMITS.outputBytes),
    metadata: json(LIMITS.metadataBytes),
    summary: text(LIMITS.summaryBytes),
  });
  expect([done.status, done.body['code']]).toEqual([200, undefined]);
  const sizes = (await allItems()).map((item) => itemBytes(item));
  expect(Math.max(...sizes)).toBeGreaterThan(LIMITS.outputBytes + LIMITS.metadataBytes);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(ITEM_BYTES);
});

test('a byte more of any of it is refused by its place, and nothing has changed', async () => {
  const made = await post(`${board}/cards`, { title: 'Held', column_id: ready });
  expect(made.status).toBe(201);
  const card = `/v1/cards/${String(made.body['id'])}`;
  const claimed = await post(`${board}/columns/${ready}:claim-next`, { agent: 'ada' });
  const { lease_id: id, lease_token } = claimed.body;
  const lease = `/v1/leases/${String(id)}`;
  const before = await allItems();
  const over: readonly [path: string, send: () => ReturnType<typeof post>][] = [
    ['/title', () => patch(card, { title: 'x'.repeat(LIMITS.titleCharacters + 1) })],
    ['/body', () => patch(card, { body: `${text(LIMITS.bodyBytes)}x` })],
    ['/properties', () => patch(card, { properties: json(LIMITS.propertiesBytes + 1) })],
    [
      '/labels',
      () => patch(card, { labels: Array.from({ length: LIMITS.labels + 1 }, (_, at) => `l${at}`) }),
    ],
    ['/tenant', () => patch(card, { tenant: 'x'.repeat(LIMITS.tenantBytes + 1) })],
    ['/body', () => post(`${card}/comments`, { body: 'x'.repeat(LIMITS.commentBytes + 1) })],
    ['/note', () => post(`${lease}:renew`, { lease_token, note: 'x'.repeat(LIMITS.noteBytes + 1) })],
    [
      '/checkpoint',
      () => post(`${lease}:renew`, { lease_token, checkpoint: 'x'.repeat(LIMITS.checkpointBytes + 1) }),
    ],
    ['/output', () => post(`${lease}:complete`, { lease_token, output: json(LIMITS.outputBytes + 1) })],
    ['/metadata', () => post(`${lease}:complete`, { lease_token, metadata: json(LIMITS.metadataBytes + 1) })],
    [
      '/summary',
      () => post(`${lease}:complete`, { lease_token, summary: 'x'.repeat(LIMITS.summaryBytes + 1) }),
    ],
    ['/reason', () => post(`${lease}:fail`, { lease_token, reason: 'x'.repeat(LIMITS.reasonBytes + 1) })],
    [
      '/input_schema',
      () =>
        http.call({
          method: 'PUT',
          path: `${board}/columns/${ready}/contract`,
          body: { enabled: true, input_schema: schema(SCHEMA_BYTES + 1) },
        }),
    ],
  ];
  for (const [path, send] of over) {
    const { status, body } = await send();
    expect([path, status]).toEqual([path, 422]);
    expect(body['errors'], path).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  }
  expect(await allItems()).toEqual(before);
});
