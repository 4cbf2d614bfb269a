/**
 * Each verb makes the calls that its row names, and every field that the API takes can be said: "all of it is
 * reachable" is no promise of a table alone.
 */
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { NOUNS } from '../../cli/nouns.ts';
import type { VerbCall } from '../../cli/verb.ts';
import { LeaseboardClient, PLATFORM } from '../../client/index.ts';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { routeMatcher } from '../../functions/http/match-route.ts';
import { operationOf, OPERATIONS } from '../../functions/http/operations.ts';

/** Operations that no command calls, and why. */
const BY_ANOTHER_NAME: Readonly<Record<string, string>> = { heartbeatLease: 'Another name of renewLease.' };

/** An answer with what any command looks at. */
const ANSWER = { card: null, claims: [], items: [], columns: [], next_cursor: null, text: '', redriven: 0 };

/** Fields of the API that are no flags of the verb, and how they are said. */
const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  board_id: '--board, of a token',
  agent: '--agent, or LEASEBOARD_AGENT, for every call',
  limit: '--limit',
  cursor: '--cursor, or --all',
  lease_token: '--lease-token, LEASEBOARD_LEASE_TOKEN, or what `card claim` has kept',
  hard: '`board delete` is the hard one, `board archive` the other',
  body: 'the <text> of `card comment`',
  size: 'of the file that --file names',
  content_base64: 'the file that --file names',
};

const match = routeMatcher(allRoutes);
const called: string[] = [];
/** Names of what was sent, in bodies and queries. */
const sent = new Set<string>();
const client = new LeaseboardClient({
  url: 'http://api.test',
  token: 'lb_test_secret',
  platform: {
    ...PLATFORM,
    fetch: async (input, init) => {
      const { pathname, searchParams } = new URL(new Request(input).url);
      for (const name of [...searchParams.keys(), ...namesIn(init?.body)]) sent.add(name);
      const found = match(init?.method ?? 'GET', pathname);
      called.push('route' in found ? operationOf(found.route).id : `${init?.method} ${pathname} is no route`);
      return Response.json(ANSWER);
    },
  },
});

function namesIn(body: unknown): string[] {
  return typeof body === 'string' ? Object.keys(JSON.parse(body) as object) : [];
}

const NAMES = [
  'card',
  'column',
  'lease',
  'webhook',
  'delivery',
  'run',
  'token-id',
  'attachment',
  'agent',
  'text',
  'model',
];
const ARGUMENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NAMES.map((name) => [name, 'x1'])),
  file: '-',
};

const INPUT = { reason: 'Because', from_url: 'http://example.com', cards: [], leases: [] };

/** What a verb is given: a session that knows every name, and input that says a little of everything. */
function callWith(args: Readonly<Record<string, string>>, input: object = INPUT): VerbCall {
  const session = {
    column: async () => 'x1',
    output: { json: true, note: () => {} },
    settings: { board: null },
    io: { watched: false, readStdin: async () => '{"type":"page"}' },
  };
  return {
    session: session as never,
    client,
    board: 'x1',
    args,
    input: input as never,
    options: {},
  };
}

const verbs = NOUNS.flatMap((noun) => noun.verbs.map((verb) => [`${noun.name} ${verb.name}`, verb] as const));

/** What each operation takes, in its body and its query. */
const taking = allRoutes.flatMap((route): (readonly [id: string, fields: readonly string[]])[] => {
  const { id } = operationOf(route);
  if (route.scope === null || id in BY_ANOTHER_NAME) return [];
  const fields = [route.shownBody ?? route.body, route.query].flatMap(fieldsOf);
  return fields.length === 0 ? [] : [[id, fields]];
});

function fieldsOf(schema: z.ZodType | null): string[] {
  if (schema === null) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
}

describe('the verbs of the command line', () => {
  test.each(verbs)('%s calls what its row says', async (_name, verb) => {
    called.length = 0;
    await verb.run(callWith(ARGUMENTS));
    const { card: _card, ...unnamed } = ARGUMENTS;
    if (verb.args?.includes('[card]') === true) await verb.run(callWith(unnamed));
    const named = verb.operations.filter((id) => BY_ANOTHER_NAME[id] === undefined);
    expect([...new Set(called)].sort()).toEqual([...named].sort());
  });

  test('reach every operation of the API', () => {
    const reached = new Set(verbs.flatMap(([, { operations }]) => operations));
    expect([...reached].sort()).toEqual([...OPERATIONS.values()].map(({ id }) => id).sort());
  });

  test.each(taking)('say each field that %s takes', async (id, fields) => {
    sent.clear();
    for (const [, verb] of verbs.filter(([, { operations }]) => operations.includes(id))) {
      const said = [...(verb.fields ?? []).map(({ name }) => name), ...(verb.data === true ? fields : [])];
      await verb.run(callWith(ARGUMENTS, { ...INPUT, ...Object.fromEntries(said.map((name) => [name, 1])) }));
    }
    expect(fields.filter((name) => !sent.has(name) && !(name in SAID_OTHERWISE))).toEqual([]);
  });
});
