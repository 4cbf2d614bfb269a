/** A claim that is the first request of its instance: nothing is remembered, not even the caller's token. */
import { claimRoutes } from '../../../functions/claim/routes.ts';
import { endpoint } from '../../../functions/http/endpoint.ts';
import { hashSecret } from '../../../shared/auth/bearer-token.ts';
import { Cache } from '../../../shared/cache.ts';
import { toColumn } from '../../../shared/columns.ts';
import { TOKEN_CACHE_MS } from '../../../shared/policy.ts';
import { LAYOUT_VERSION, ColumnSchema } from '../../../shared/store/items.ts';
import { columnKey, tokenKey } from '../../../shared/store/keys.ts';
import { createBoard } from '../../../shared/verbs/create-board.ts';
import { gatewayEvent } from '../../http/support/gateway-event.ts';
import { seedCards } from '../../support/seed.ts';
import { createWorld, type World } from '../../support/world.ts';
import type { Bench } from '../support/figure.ts';
import { createProbe } from '../support/probe.ts';

const TOKEN = { id: 'bench', secret: 'x'.repeat(40) };
const SLUG = 'bench';

/** Sequential round trips of a claim over HTTP by a board's slug, named, on a cold instance. */
export async function coldClaimRounds(bench: Bench): Promise<number> {
  const world = await createWorld({ table: await bench.newTable() });
  await putToken(world);
  const columnId = await queueOfNewBoard(world);
  const { engine, cost } = createProbe(world);
  const handler = endpoint({
    routes: claimRoutes,
    instance: {
      engine,
      tokens: new Cache(TOKEN_CACHE_MS, world.clock.now),
      people: null,
      ready: async () => undefined,
      log: () => undefined,
      traceRate: 0,
    },
  });
  const event = gatewayEvent({
    method: 'POST',
    path: `/v1/boards/${SLUG}/columns/${columnId}:claim-next`,
    headers: { authorization: `Bearer lb_${TOKEN.id}_${TOKEN.secret}`, 'x-agent': 'ada' },
  });
  const { value, rounds } = await cost(() => handler(event));
  if (value.statusCode !== 200) throw new Error(`The claim was answered ${value.statusCode}: ${value.body}`);
  return rounds;
}

async function putToken(world: World): Promise<void> {
  await world.main.store.write({
    kind: 'put',
    item: {
      ...tokenKey(TOKEN.id),
      v: LAYOUT_VERSION,
      name: TOKEN.id,
      hash: hashSecret(TOKEN.secret),
      scopes: ['worker'],
      created_at: world.clock.now(),
      // In use today: the first use of a day is noted, beside what the request does.
      last_used_at: world.clock.now(),
    },
  });
}

async function queueOfNewBoard(world: World): Promise<string> {
  const { value } = await createBoard(world.main, world.admin, { name: 'Bench', slug: SLUG }, null);
  const queue = value.columns.find(({ contract }) => contract.enabled);
  if (queue === undefined) throw new Error('The default board has no queue');
  const item = await world.main.store.get(columnKey(queue.id));
  await seedCards(world, toColumn(ColumnSchema.parse(item)), 1);
  return queue.id;
}
