/** The first claim of an instance: what it reads first is read beside the look-up of its token. */
import { describe, expect, it } from 'vitest';
import { Cache } from '../../shared/cache.ts';
import { TOKEN_CACHE_MS } from '../../shared/policy.ts';
import { tokenKey } from '../../shared/store/keys.ts';
import { Store } from '../../shared/store/store.ts';
import { documentClient } from '../../shared/store/client.ts';
import { installToken } from '../../shared/verbs/install-token.ts';
import { claimRoutes } from '../../functions/claim/routes.ts';
import { endpoint } from '../../functions/http/endpoint.ts';
import { countRounds } from '../support/rounds.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const token = `lb_cold_${'s'.repeat(40)}`;
await installToken(world.main, { token, name: 'cold', scopes: ['worker'] });
// In use today, as nearly every token is: the first use of a day is noted, beside what the request does.
const last_used_at = world.clock.now();
await world.main.store.write({ kind: 'update', key: tokenKey('cold'), set: { last_used_at }, remove: [] });

function coldInstance() {
  const client = documentClient(world.table.clientOptions);
  const rounds = countRounds(client);
  const engine = world.engine();
  const { deps } = engine;
  const store = new Store({ tableName: world.table.tableName, client, deps });
  const instance = {
    engine: { ...engine, store },
    tokens: new Cache<never>(TOKEN_CACHE_MS, () => deps.now()),
    people: null,
    ready: async () => undefined,
    traceRate: 0,
    log: () => undefined,
  };
  return { handle: endpoint({ routes: claimRoutes, instance }), rounds };
}

const claimEvent = (board: string, column: string, bearer: string) => ({
  version: '2.0',
  rawPath: `/v1/boards/${board}/columns/${column}:claim-next`,
  rawQueryString: '',
  headers: { authorization: `Bearer ${bearer}`, 'x-agent': 'ada' },
  requestContext: { requestId: 'r', http: { method: 'POST', path: '', sourceIp: '127.0.0.1' } },
  isBase64Encoded: false,
});

describe('the first claim of an instance', () => {
  it('takes two round trips: everything it reads, then the write beside the card', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 3);
    const { handle, rounds } = coldInstance();
    const answer = await handle(claimEvent(queue.board, queue.column.column_id, token));
    expect(JSON.parse(answer.body ?? '')).toMatchObject({ attempt: 1, lease: { agent: 'ada' } });
    expect(rounds()).toBe(2);
  });

  it('writes nothing for a token that is not good, though it has begun to read', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const { handle, rounds } = coldInstance();
    const refused = await handle(claimEvent(queue.board, queue.column.column_id, `${token}x`));
    expect(refused.statusCode).toBe(401);
    expect(rounds()).toBe(1);
    const later = await handle(claimEvent(queue.board, queue.column.column_id, token));
    expect(JSON.parse(later.body ?? '')).toMatchObject({ attempt: 1 });
  });
});
