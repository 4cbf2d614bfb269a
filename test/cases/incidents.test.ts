/** Incidents of other queues, each by name, against this one: the fault's whole kind must be impossible here. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { isProblem } from '../../shared/errors.ts';
import { readJob } from '../../shared/jobs.ts';
import { readRun } from '../../shared/runs.ts';
import { documentClient } from '../../shared/store/client.ts';
import { Store } from '../../shared/store/store.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { listLeases } from '../../shared/verbs/list-leases.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { itemBytes } from '../bench/support/item-bytes.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, fail, mustClaim, release, renew } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

const world = await createWorld({ sleep: 'real' });
const { main, clock, admin } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

/** An engine whose writes fail where `broken` says so, before they reach the table. */
function engineWithout(of: World, broken: (command: string, input: string) => boolean) {
  const client = documentClient(of.table.clientOptions);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (broken(String(context.commandName), JSON.stringify(args.input))) throw new Error('killed here');
      return next(args);
    },
    { step: 'initialize', name: 'break' },
  );
  const engine = of.engine();
  return { ...engine, store: new Store({ tableName: of.table.tableName, client, deps: engine.deps }) };
}

describe('a lease', () => {
  it('shows in the answer of its claim and in the list of leases, with a deadline ahead (meho PR 1511, PraisonAI #2403)', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    expect(Date.parse(held.expires_at)).toBeGreaterThan(clock.now());
    const { items } = await listLeases(main, admin, { board: queue.board, state: 'active', limit: 50 });
    expect(items).toMatchObject([
      { id: held.lease_id, agent: 'ada', expires_at: held.expires_at, state: 'active' },
    ]);
    clock.advance(120_000);
    const stuck = await listLeases(main, admin, { board: queue.board, state: 'expired', limit: 50 });
    expect(stuck.items.map(({ id }) => id)).toEqual([held.lease_id]);
  });

  it('says when to beat, and two lost heartbeats leave it valid (workhorse PR 120, react_on_rails PR 4928, detent #1433)', async () => {
    const queue = await createQueue(world, { lease_ttl_seconds: 60 });
    await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    expect(held).toMatchObject({ renew_after_seconds: 20 });
    clock.advance(59_000);
    expect(await claimFrom(world.engine(), bob, queue)).toBeNull();
    expect(await renew(main, ada, held)).toMatchObject({ renew_after_seconds: 20, lease_id: held.lease_id });
  });

  it('lost for good and a table in trouble answer different codes (loupe PR 50)', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    const timeout = Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    const unreachable = engineWithout(world, (command) => {
      if (command === 'UpdateItemCommand') throw timeout;
      return false;
    });
    await expect(renew(unreachable, ada, held)).rejects.toMatchObject({
      code: 'throttled',
      extras: { retry_after_seconds: 1 },
    });
    clock.advance(121_000);
    await mustClaim(main, bob, queue);
    await expect(renew(main, ada, held)).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { retryable: false },
    });
  });

  it('is ended once by twenty closing verbs at the same instant, and the limit still admits what it says (kestra #14356, #17759)', async () => {
    const queue = await createQueue(world, { concurrency_limit: 2 });
    const [id = ''] = await seedCards(world, queue.column, 4);
    const held = await mustClaim(main, ada, queue);
    const verbs = [complete, fail, release];
    const ends = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, at) => verbs[at % 3]?.(world.engine(), ada, held)),
    );
    const job = await readJob(main, id);
    const run = await readRun(main, id, 1);
    expect(job?.sequence).toBe(3);
    for (const [at, end] of ends.entries()) {
      const same = ['completed', 'failed', 'released'][at % 3] === run?.outcome;
      expect(end.status).toBe(same ? 'fulfilled' : 'rejected');
    }
    await mustClaim(main, ada, queue);
    await mustClaim(main, ada, queue);
    expect(await claimFrom(main, ada, queue)).toBeNull();
  });

  it('of an agent shared by two tokens belongs to the token that holds it (aegra #502, bull #308, bullmq #3183)', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const first = await mustClaim(main, world.agent('writer', { tokenId: 't1' }), queue);
    clock.advance(121_000);
    const second = await mustClaim(main, world.agent('writer', { tokenId: 't2' }), queue);
    await expect(complete(main, world.agent('writer', { tokenId: 't1' }), first)).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'superseded' },
    });
    const { card } = await complete(main, world.agent('writer', { tokenId: 't2' }), second, {
      output: 'second',
    });
    expect(card.output).toBe('second');
  });
});

describe('a fleet', () => {
  it('goes on when the tidying of slots fails at every completion (trigger.dev #4540)', async () => {
    const own = await createWorld();
    const queue = await createQueue(own, { concurrency_limit: 2 });
    await seedCards(own, queue.column, 50);
    const engine = engineWithout(own, (command) => command === 'DeleteItemCommand');
    let done = 0;
    for (let empty = 0; done < 50 && empty < 20;) {
      const held = await claimFrom(engine, ada, queue);
      if (held === null) {
        empty += 1;
        continue;
      }
      empty = 0;
      await complete(engine, ada, held);
      done += 1;
    }
    expect(done).toBe(50);
  });

  it('loses no card and no slot when a claim is killed before or after any of its writes (hatchet #4494)', async () => {
    const own = await createWorld();
    for (let point = 0; point < 4; point += 1) {
      const queue = await createQueue(own, { concurrency_limit: 1 });
      const [id = ''] = await seedCards(own, queue.column, 1);
      let writes = 0;
      const engine = engineWithout(own, (command) => {
        if (command.startsWith('Query') || command.startsWith('Get') || command.startsWith('BatchGet'))
          return false;
        writes += 1;
        return writes > point;
      });
      await claimFrom(engine, ada, queue)
        .then(async (held) => (held === null ? null : complete(engine, ada, held)))
        .catch(() => null);
      own.clock.advance(125_000);
      const job = await readJob(own.main, id);
      if (job?.state === 'done') continue;
      const again = await mustClaim(own.engine(), bob, queue);
      expect(again.card.id).toBe(id);
      await complete(own.main, bob, again);
    }
  });

  it('that failed all at once does not come back all at once (stacksjs #2298, Oban v2.23)', async () => {
    const own = await createWorld({ sleep: 'real' });
    const queue = await createQueue(own, { backoff_seconds: [60], backoff_jitter: 1 });
    await seedCards(own, queue.column, 100);
    const times: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const input = { board: queue.board, column: queue.column.column_id, max: 10 };
      const { value } = await claimBatch(own.main, ada, input, null);
      const failed = await Promise.all(
        value.claims.map(async (held) => fail(own.main, ada, held, { retry_after_seconds: 60 })),
      );
      times.push(...failed.map(({ next_attempt_at }) => Date.parse(next_attempt_at ?? '') - own.clock.now()));
    }
    expect(times).toHaveLength(100);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(60_000);
    for (const bucket of Map.groupBy(times, (time) => Math.floor(time / 1_000)).values()) {
      expect(bucket.length).toBeLessThanOrEqual(10);
    }
  });
});

describe('a dead card', () => {
  it('redriven gets its whole budget, keeps its history, and two redrives at once make one (bullmq #3555)', async () => {
    const queue = await createQueue(world, { max_attempts: 2 });
    const [id = ''] = await seedCards(world, queue.column, 1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await mustClaim(main, ada, queue);
      clock.advance(121_000);
    }
    await reap(main, clock.now() + 50_000);
    expect((await readJob(main, id))?.state).toBe('dead');
    const both = await Promise.allSettled([
      redriveCard(world.engine(), admin, { card: id }),
      redriveCard(world.engine(), admin, { card: id }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((end) => end.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'conflict' });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const held = await mustClaim(main, ada, queue);
      expect(held).toMatchObject({ attempt, fence: 2 + attempt });
      await fail(main, ada, held, { retry_after_seconds: 0 });
    }
    expect((await readJob(main, id))?.state).toBe('dead');
    expect((await readRun(main, id, 1))?.outcome).toBe('expired');
  });
});

describe('an item', () => {
  it('stays small through a hundred failures with the largest reasons (instance-scheduler #594, catapult #4339)', async () => {
    const own = await createWorld();
    const queue = await createQueue(own, { max_attempts: 100, backoff_seconds: [0] });
    const [id = ''] = await seedCards(own, queue.column, 1);
    for (let at = 0; at < 100; at += 1) {
      const held = await mustClaim(own.main, ada, queue);
      await fail(own.main, ada, held, { reason: 'ü'.repeat(500), metadata: { log: 'x'.repeat(30_000) } });
    }
    const item = await own.main.store.get({ pk: id, sk: 'JOB' });
    expect(item?.['state']).toBe('dead');
    expect(itemBytes(item ?? {})).toBeLessThan(1_024);
  });

  it('is not believed to be gone because its ttl has passed: TTL tidies and decides nothing (TTL is not a timer)', async () => {
    const own = await createWorld();
    const queue = await createQueue(own);
    await seedCards(own, queue.column, 2);
    const repeat = { key: 'k', route: 'r', fingerprint: 'f' };
    const input = { board: queue.board, column: queue.column.column_id, max: 1 };
    const first = await claimBatch(own.main, ada, input, repeat);
    own.clock.advance(86_400_000 + 1);
    const later = await claimBatch(own.main, ada, input, repeat);
    expect(later.replayed).toBe(false);
    expect(later.value.claims[0]?.lease_id).not.toBe(first.value.claims[0]?.lease_id);
  });

  it('under a name made of key text never reaches another’s (Faktory 1.10.0)', async () => {
    const own = await createWorld();
    const queue = await createQueue(own);
    const names = ['a#0', 'a', '-', '@a', 'S#0', 'JOB', '..', '%23', 'é'.repeat(32), '-#4#0', '9#'];
    const ids = await seedCards(own, queue.column, names.length, (at) => ({ assignee: names[at] ?? '' }));
    for (const [at, name] of names.entries()) {
      const held = await mustClaim(own.main, own.agent(name), queue);
      expect(held.card.id).toBe(ids[at]);
      expect(await claimFrom(own.main, own.agent(name), queue)).toBeNull();
    }
  });
});

describe('a cancelled transaction', () => {
  const Reasons: [string, string[], string][] = [
    ['a refused condition alone is an answer', ['ConditionalCheckFailed', 'None'], 'refused'],
    ['a conflict is tried again, and given up as busy', ['TransactionConflict', 'None'], 'throttled'],
    [
      'a conflict beside a refusal says nothing of it',
      ['ConditionalCheckFailed', 'TransactionConflict'],
      'throttled',
    ],
    ['a throttle is busy', ['ThrottlingError', 'None'], 'throttled'],
    ['an invalid item is our fault', ['ValidationError', 'None'], 'fault'],
  ];

  it.each(Reasons)(
    '%s (gumroad #7454, PynamoDB #1264, voc-datalake #350)',
    async (_name, codes, expected) => {
      const client = documentClient({
        region: 'us-east-1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      });
      const mock = mockClient(client);
      const CancellationReasons = codes.map((Code): CancellationReason => ({ Code }));
      const cancelled = Object.assign(new Error('cancelled'), {
        name: 'TransactionCanceledException',
        CancellationReasons,
      });
      mock.onAnyCommand().rejects(cancelled);
      const store = new Store({ tableName: 't', client, deps: main.deps });
      const put = { kind: 'put' as const, item: { pk: 'a', sk: 'b' } };
      const outcome = await store.transact([put, put]).then(
        (written) => (written.ok ? 'done' : 'refused'),
        (error: unknown) => (isProblem(error) ? error.code : 'fault'),
      );
      expect(outcome).toBe(expected);
      expect(mock.calls().length).toBe(
        expected === 'throttled' && codes.includes('TransactionConflict') ? 6 : 1,
      );
    },
  );
});

describe('two hundred claimers', () => {
  it('of a thousand cards meet no error, and few lose a race for each that wins (Dekaf #3355, Brighter #2810)', async () => {
    const own = await createWorld({ sleep: 'real' });
    const queue = await createQueue(own);
    await seedCards(own, queue.column, 1_000);
    const engines = Array.from({ length: 40 }, () => own.engine());
    const claims = await Promise.all(
      Array.from({ length: 200 }, async (_, at) =>
        claimFrom(engines[at % 40] ?? own.main, own.agent(`w${at}`), queue),
      ),
    );
    const won = claims.filter((held) => held !== null);
    expect(won.length).toBeGreaterThanOrEqual(195);
    expect(new Set(won.map(({ card }) => card.id)).size).toBe(won.length);
  }, 90_000);
});
