/** Requests that the OpenAPI document allows, made of nothing but the document: taken or refused, never a fault of ours. */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../functions/http/operations.ts';
import type { TestRequest } from './support/gateway-event.ts';
import { shelf } from './support/shelf.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';
import { arbitraryOf, oneOfEach, type JsonSchema, type Source } from './support/schema-arbitrary.ts';

/** Requests per operation: the whole file in some ten seconds, on the real table. */
const RUNS = 5;
/** The same requests in each run: by chance all five of one operation might break a rule that no schema says. */
const SEED = 1;
/** Where nobody listens: what is sent there comes back at once. */
const NOWHERE = 'http://127.0.0.1:65530/hook';

/** Only an answer can give one; a made-up one is refused, as other tests say. */
const CURSORS: ReadonlySet<string> = new Set(['cursor', 'since']);

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

let http: HttpWorld;
let document: Document;
let boards = 0;

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: shelf });
  const { body } = await http.call({ path: '/v1/openapi.json' }, null);
  document = body as unknown as Document;
});

interface Known {
  /** What paths name. */
  readonly ids: Readonly<Record<string, string>>;
  /** What fields of bodies and queries say. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A board with what paths and bodies may name: each operation has one of its own, to do with as it likes. */
async function seeded(template: string): Promise<Known> {
  const post = async (path: string, body: object) => (await http.call({ method: 'POST', path, body })).body;
  const board = await post('/v1/boards', { name: 'Valid', slug: `valid-${(boards += 1)}` });
  const columns = board['columns'] as { id: string; name: string }[];
  const column = columns.find(({ name }) => name === 'Ready')?.id ?? '';
  const at = `/v1/boards/${String(board['id'])}`;
  await post(`${at}/cards`, { title: 'Held', column_id: column });
  const claim = await post(`${at}/columns/${column}:claim-next`, {});
  const card = await post(`${at}/cards`, { title: 'Free', column_id: column });
  const other = await post(`${at}/cards`, { title: 'Other', column_id: column });
  const webhook = await post(`${at}/webhooks`, { url: NOWHERE });
  const ids = {
    board: String(board['id']),
    column,
    card: String(card['id']),
    lease: String(claim['lease_id']),
    run: String(claim['lease_id']).replace('lse', 'run'),
    webhook: String(webhook['id']),
  };
  const fields = {
    board_id: ids.board,
    column_id: column,
    card_id: ids.card,
    ids: [ids.card],
    parents: [other['id']],
    types: ['card.created'],
    parent_id: other['id'],
    child_id: other['id'],
    container_id: null,
    ...(template.includes('/columns')
      ? { before: column, after: column }
      : { before: other['id'], after: other['id'] }),
    lease_id: ids.lease,
    lease_token: claim['lease_token'],
    url: NOWHERE,
    from_url: NOWHERE,
    content_base64: 'aGVsbG8=',
    role_arn: 'arn:aws:iam::123456789012:role/drafters',
    lease_ttl_seconds: 60,
    input_schema: { type: 'object' },
    output_schema: null,
    title: 'One',
    name: 'One',
    reason: 'Because',
  };
  return { ids, fields };
}

function sourceOf({ fields }: Known): Source {
  return {
    schemas: document.components.schemas,
    named: (field) => (field in fields ? fc.constant(fields[field]) : null),
  };
}

interface Generated {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function requestsOf({ parameters = [], requestBody }: Operation, source: Source): fc.Arbitrary<Generated> {
  const asked = parameters.filter((parameter) => parameter.in === 'query' && !CURSORS.has(parameter.name));
  const fields = asked.map(
    ({ name, schema }) => [name, source.named(name) ?? arbitraryOf(schema, source)] as const,
  );
  const required = asked.flatMap(({ name, required: needed }) => (needed === true ? [name] : []));
  const query = fc.record(Object.fromEntries(fields), { requiredKeys: required }).map(oneOfEach);
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({ query, ...(schema === undefined ? {} : { body: arbitraryOf(schema, source) }) });
}

function written({ query, body }: Generated, method: string, path: string): TestRequest {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  const sent = body === undefined ? {} : { body };
  return { method: method.toUpperCase(), path: path + search, ...sent };
}

describe('requests that the document allows are no fault of ours', () => {
  test.each([...OPERATIONS].map(([address, { id }]) => [id, address] as const))(
    '%s',
    async (_id, address) => {
      const [method = '', template = ''] = address.split(' ');
      const operation = document.paths[template]?.[method.toLowerCase()];
      if (operation === undefined) return expect.fail(`${address} is not in the document`);
      const known = await seeded(template);
      const path = template.replaceAll(
        /\{([a-z_]+)\}/g,
        (_all, name: string) => known.ids[name] ?? `${name}_none`,
      );
      const statuses: number[] = [];
      let refused = '';
      await fc.assert(
        fc.asyncProperty(requestsOf(operation, sourceOf(known)), async (generated) => {
          const request = written(generated, method, path);
          const { status, body } = await http.call(request);
          expect(status, JSON.stringify([request, http.lines.at(-1)])).toBeLessThan(500);
          // Bad JSON, wrong methods and wrong types are no business of who keeps to the document.
          expect([400, 405, 413, 415], JSON.stringify(request)).not.toContain(status);
          statuses.push(status);
          if (status === 422) refused = JSON.stringify([request, body]);
        }),
        { numRuns: RUNS, seed: SEED },
      );
      // Rules that a schema cannot say refuse some of them, but never all.
      expect(
        statuses.filter((status) => status !== 422),
        refused,
      ).not.toEqual([]);
    },
  );
});
