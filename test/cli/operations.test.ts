/** Each verb makes the calls that its row names: "every operation is reachable" is no promise of a table alone. */
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

const match = routeMatcher(allRoutes);
const called: string[] = [];
const client = new LeaseboardClient({
  url: 'http://api.test',
  token: 'lb_test_secret',
  platform: {
    ...PLATFORM,
    fetch: async (input, init) => {
      const { pathname } = new URL(new Request(input).url);
      const found = match(init?.method ?? 'GET', pathname);
      called.push('route' in found ? operationOf(found.route).id : `${init?.method} ${pathname} is no route`);
      return Response.json(ANSWER);
    },
  },
});

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
const ARGUMENTS: Readonly<Record<string, string>> = Object.fromEntries(NAMES.map((name) => [name, 'x1']));

/** What a verb is given: a session that knows every name, and input that says a little of everything. */
function callWith(args: Readonly<Record<string, string>>): VerbCall {
  const session = {
    column: async () => 'x1',
    output: { json: true, note: () => {} },
    io: { watched: false },
  };
  return {
    session: session as never,
    client,
    board: 'x1',
    args,
    input: { reason: 'Because', from_url: 'http://example.com', cards: [], leases: [] } as never,
    options: {},
  };
}

const verbs = NOUNS.flatMap((noun) => noun.verbs.map((verb) => [`${noun.name} ${verb.name}`, verb] as const));

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
});
