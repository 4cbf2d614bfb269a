import { describe, expect, test } from 'vitest';
import { LeaseboardClient, type LeaseboardError } from '../../client/index.ts';
import { hurriedPlatform } from './support/platforms.ts';
import { problem, scriptedServer, type Step } from './support/scripted-server.ts';

const TOKEN = 'lb_test_0123456789abcdef0123456789abcdef';
const EMPTY = {
  card: null,
  lease_id: null,
  lease_token: null,
  reason: 'empty',
  next_available_at: null,
  retry_after_seconds: 1,
};

/** A client on a server that plays `steps`, with the waits between its tries. */
async function clientOf(...steps: Step[]) {
  const server = await scriptedServer(...steps);
  const { platform, waits } = hurriedPlatform();
  const client = new LeaseboardClient({
    url: server.url,
    token: TOKEN,
    agent: 'drafter-1',
    timeoutMs: 60_000,
    platform,
  });
  return { client, waits, server };
}

async function thrownBy(call: Promise<unknown>): Promise<LeaseboardError> {
  return call.then(
    () => expect.fail('The call was to throw'),
    (error: unknown) => error as LeaseboardError,
  );
}

describe('requests', () => {
  test('carry the token, the agent and an escaped path', async () => {
    const { client, server } = await clientOf({ status: 200, body: { id: 'brd_1' } });
    await client.boards.get('a/b?c');
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      path: '/v1/boards/a%2Fb%3Fc',
      headers: { authorization: `Bearer ${TOKEN}`, 'x-agent': 'drafter-1' },
    });
  });

  test('that name an agent in their body leave out the header, since two names are refused', async () => {
    const { client, server } = await clientOf({ status: 200, body: EMPTY }, { status: 200, body: EMPTY });
    await client.columns.claimNext('demo', 'col_1', { agent: 'drafter-9' });
    await client.columns.claimNext('demo', 'col_1', { agent: undefined });
    expect(server.seen.map((request) => request.headers['x-agent'])).toEqual([undefined, 'drafter-1']);
  });

  test('carry the trace of the work at hand, a call’s own first, and nothing that is none', async () => {
    const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
    const step = { status: 200, body: { id: 'brd_1' } };
    const server = await scriptedServer(step, step, step, step);
    let active: string | undefined = trace('a');
    const client = new LeaseboardClient({ url: server.url, token: TOKEN, traceparent: () => active });
    await client.boards.get('demo');
    await client.boards.get('demo', { traceparent: trace('b') });
    active = 'not\na trace';
    await client.boards.get('demo');
    active = undefined;
    await client.boards.get('demo');
    expect(server.seen.map(({ headers }) => headers['traceparent'])).toEqual([
      trace('a'),
      trace('b'),
      undefined,
      undefined,
    ]);
  });

  test('leave undefined filters out of the query', async () => {
    const { client, server } = await clientOf({ status: 200, body: { items: [], next_cursor: null } });
    await client.cards.list('demo', { state: 'ready', limit: 1 });
    expect(server.seen[0]?.path).toBe('/v1/boards/demo/cards?state=ready&limit=1');
  });

  test('of a worker on its own card carry the lease token and the revision seen', async () => {
    const { client, server } = await clientOf({ status: 200, body: {} });
    await client.cards.update('crd_1', { title: 'New' }, { leaseToken: 'secret', ifMatch: 7 });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-lease-token': 'secret', 'if-match': '"7"' });
  });
});

describe('what is no answer of this API', () => {
  test('a redirect is an error that says where to: followed, a POST would be a GET, and a token another server’s', async () => {
    const elsewhere = await scriptedServer({ status: 200, body: { id: 'crd_1' } });
    for (const status of [301, 302, 307, 308]) {
      const { client, server } = await clientOf({ status, headers: { location: `${elsewhere.url}/v1` } });
      const error = await thrownBy(client.cards.create('demo', { title: 'One' }, { leaseToken: 'secret' }));
      expect(error).toMatchObject({ code: 'unexpected_answer', status });
      expect(error.message).toContain(elsewhere.url);
      expect(server.seen).toHaveLength(1);
    }
    expect(elsewhere.seen).toEqual([]);
  });

  test('a page that a proxy answers is asked again where that is safe', async () => {
    const page = { status: 200, body: '<html>Back soon</html>', headers: { 'content-type': 'text/html' } };
    const { client } = await clientOf(page, { status: 200, body: { id: 'brd_1' } });
    await expect(client.boards.get('demo')).resolves.toEqual({ id: 'brd_1' });
    const once = await clientOf(page);
    const error = await thrownBy(once.client.cards.update('crd_1', { title: 'New' }));
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200 });
    expect(once.server.seen).toHaveLength(1);
  });
});

test.each(['', '.', '..'])(
  'an id "%s" makes no address, or it would be that of something else',
  async (id) => {
    const { client, server } = await clientOf();
    await expect(client.attachments.delete('crd_1', id)).rejects.toThrow(TypeError);
    await expect(client.columns.delete('demo', id)).rejects.toThrow(TypeError);
    await expect(client.cards.archive(id)).rejects.toThrow('lacks a name');
    expect(server.seen).toEqual([]);
  },
);

describe('repeats', () => {
  test('a read whose connection broke is made again', async () => {
    const { client, server } = await clientOf('hang up', { status: 200, body: { id: 'brd_1' } });
    await expect(client.boards.get('demo')).resolves.toEqual({ id: 'brd_1' });
    expect(server.seen).toHaveLength(2);
  });

  test('a create whose answer was lost is made again with the same key and body', async () => {
    const { client, server } = await clientOf('hang up', { status: 201, body: { id: 'crd_1' } });
    await client.cards.create('demo', { title: 'One' });
    const [first, second] = server.seen;
    expect(first?.headers['idempotency-key']).toBe('key-1');
    expect(second?.headers['idempotency-key']).toBe('key-1');
    expect(second?.body).toBe(first?.body);
  });

  test('two creates have two keys', async () => {
    const { client, server } = await clientOf({ status: 201, body: {} }, { status: 201, body: {} });
    await client.cards.create('demo', { title: 'One' });
    await client.cards.create('demo', { title: 'Two' });
    expect(server.seen.map((request) => request.headers['idempotency-key'])).toEqual(['key-1', 'key-2']);
  });

  test('a claim that meets its own first try is made again', async () => {
    const { client, server } = await clientOf(problem(409, 'idempotency_in_progress'), {
      status: 200,
      body: EMPTY,
    });
    await client.columns.claimNext('demo', 'col_1');
    expect(server.seen).toHaveLength(2);
  });

  test('a completion whose answer was lost is made again, and carries no key', async () => {
    const { client, server } = await clientOf('hang up', { status: 200, body: {} });
    await client.leases.complete('lse_1', { lease_token: 't', output: 1 });
    expect(server.seen).toHaveLength(2);
    expect(server.seen[1]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('a change whose answer was lost is not made again', async () => {
    const { client, server } = await clientOf('hang up');
    const error = await thrownBy(client.cards.update('crd_1', { title: 'New' }));
    expect(error).toMatchObject({ code: 'network_error', status: 0 });
    expect(server.seen).toHaveLength(1);
  });

  test('a token is not created again, since its secret is shown once', async () => {
    const { client, server } = await clientOf(problem(503, 'throttled'));
    await thrownBy(client.tokens.create({ name: 'ci', scopes: ['worker'] }));
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('a refusal by rate leaves nothing done, so even a change is made again', async () => {
    const { client, server } = await clientOf(problem(429, 'rate_limited', {}, { 'retry-after': '2' }), {
      status: 200,
      body: {},
    });
    await client.cards.update('crd_1', { title: 'New' });
    expect(server.seen).toHaveLength(2);
  });

  test('a deletion whose answer was lost is done when its repeat finds nothing', async () => {
    const { client } = await clientOf('hang up', problem(404, 'not_found'));
    await expect(client.cards.delete('crd_1')).resolves.toBeUndefined();
  });

  test('a deletion that finds nothing at once says so', async () => {
    const { client } = await clientOf(problem(404, 'not_found'));
    expect(await thrownBy(client.cards.delete('crd_1'))).toMatchObject({ code: 'not_found' });
  });

  test('what the caller did wrong is not repeated', async () => {
    const { client, server } = await clientOf(
      problem(422, 'validation_failed', { errors: [{ path: '/title', message: 'is required' }] }),
    );
    const error = await thrownBy(client.cards.create('demo', { title: '' }));
    expect(error.message).toContain('/title: is required');
    expect(server.seen).toHaveLength(1);
  });

  test('end after the retries allowed, with the last error', async () => {
    const { client, server } = await clientOf(...Array.from({ length: 6 }, (): Step => 'hang up'));
    await thrownBy(client.boards.get('demo'));
    expect(server.seen).toHaveLength(5);
  });

  test('wait longer each time', async () => {
    const { client, waits } = await clientOf('hang up', 'hang up', 'hang up', { status: 200, body: {} });
    await client.boards.get('demo');
    expect(waits).toEqual([150, 300, 600]);
  });

  test('wait at least as long as the server asks', async () => {
    const { client, waits } = await clientOf(problem(503, 'throttled', {}, { 'retry-after': '3' }), {
      status: 200,
      body: {},
    });
    await client.boards.get('demo');
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(3000);
  });

  test('leave a wait of minutes to the caller', async () => {
    const { client, server } = await clientOf(problem(429, 'rate_limited', {}, { 'retry-after': '120' }));
    expect(await thrownBy(client.boards.get('demo'))).toMatchObject({ retryAfterSeconds: 120 });
    expect(server.seen).toHaveLength(1);
  });
});

describe('errors', () => {
  test('carry the code and the whole problem', async () => {
    const { client } = await clientOf(
      problem(409, 'lease_held', { detail: 'drafter-2 holds it', holder: 'drafter-2' }),
    );
    const error = await thrownBy(client.cards.claim('crd_1'));
    expect(error).toMatchObject({ code: 'lease_held', status: 409, message: 'drafter-2 holds it' });
    expect(error.problem?.holder).toBe('drafter-2');
  });

  test("of a gateway's own go by their status", async () => {
    const { client } = await clientOf({ status: 403, body: { message: 'Forbidden' } });
    expect(await thrownBy(client.boards.get('demo'))).toMatchObject({ code: 'forbidden', problem: null });
  });

  test('name a success that is no JSON', async () => {
    const { client } = await clientOf(...Array.from({ length: 5 }, () => ({ status: 200, body: '<html>' })));
    expect(await thrownBy(client.boards.get('demo'))).toMatchObject({ code: 'unexpected_answer' });
  });

  test('never contain the token', async () => {
    const { client } = await clientOf('hang up');
    const error = await thrownBy(client.boards.get('demo', { retries: 0 }));
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(TOKEN);
  });
});

describe('time limits and aborts', () => {
  test('a silent server is given up after the time limit', async () => {
    const { client } = await clientOf('stay silent');
    const error = await thrownBy(client.boards.get('demo', { timeoutMs: 20, retries: 0 }));
    expect(error.code).toBe('timeout');
  });

  test('a long poll may take its wait on top of the time limit', async () => {
    const limits: number[] = [];
    const server = await scriptedServer({ status: 200, body: EMPTY });
    const { platform } = hurriedPlatform();
    const client = new LeaseboardClient({
      url: server.url,
      token: TOKEN,
      platform: {
        ...platform,
        setTimer: (milliseconds) => {
          limits.push(milliseconds);
          return () => {};
        },
      },
    });
    await client.columns.claimNext('demo', 'col_1', { wait_seconds: 20 });
    expect(limits).toEqual([30_000]);
  });

  test("a caller's abort ends a request with the caller's own reason", async () => {
    const { client, server } = await clientOf('stay silent');
    const caller = new AbortController();
    const call = thrownBy(client.boards.get('demo', { signal: caller.signal }));
    await expect.poll(() => server.seen.length).toBe(1);
    const reason = new Error('enough');
    caller.abort(reason);
    expect(await call).toBe(reason);
  });

  test("a caller's abort ends a wait between two tries", async () => {
    const server = await scriptedServer('hang up');
    const { platform } = hurriedPlatform();
    const caller = new AbortController();
    const client = new LeaseboardClient({
      url: server.url,
      token: TOKEN,
      platform: {
        ...platform,
        setTimer: (milliseconds) => {
          if (milliseconds < 1000) queueMicrotask(() => caller.abort(new Error('enough')));
          return () => {};
        },
      },
    });
    const error = await thrownBy(client.boards.get('demo', { signal: caller.signal }));
    expect(error.message).toBe('enough');
    expect(server.seen).toHaveLength(1);
  });
});
