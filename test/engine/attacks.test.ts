/** What an attack on the running system found once, so that it stays mended. */
import { describe, expect, it } from 'vitest';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { listLeases } from '../../shared/verbs/list-leases.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { Name } from '../../shared/schemas/boards.ts';
import { makeCursor } from '../../shared/cursor.ts';
import { makeDesk, made } from '../cards/support/cards.ts';
import { createQueue, putColumn } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld({ sleep: 'real' });
const { main, clock, admin } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

describe('parallel edits of one card', () => {
  it('lose nothing, though its items are read side by side', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const names = Array.from({ length: 12 }, (_, at) => `k${at}`);
    const bodies = ['x'.repeat(20_000), 'short', ''];
    await Promise.all([
      ...names.map(async (name) =>
        patchCard(world.engine(), admin, { card: card.id, properties: { [name]: 1 } }),
      ),
      ...bodies.map(async (body) => patchCard(world.engine(), admin, { card: card.id, body })),
    ]);
    const after = await getCard(main, admin, { card: card.id });
    for (const name of names) expect(after.properties).toHaveProperty(name, 1);
    expect(bodies).toContain(after.body);
  }, 60_000);
});

describe('a takeover', () => {
  const takeover = { takeover: true, reason: 'gone' };

  it('is bound by assignment, four eyes and pause like any other claim', async () => {
    const queue = await createQueue(world, { exclude_previous_holder: true });
    const [reviewed = '', assigned = ''] = await seedCards(world, queue.column, 2, (at) =>
      at === 0 ? { prev_agent: 'bob' } : { assignee: 'ada' },
    );
    await mustClaim(main, ada, queue);
    await mustClaim(main, ada, queue);
    for (const card of [reviewed, assigned]) {
      await expect(claimCard(main, bob, { card, ...takeover }, null)).rejects.toMatchObject({
        code: 'not_claimable',
      });
    }
    await putColumn(world, queue.board, 'Ready', 'work', queue.column.contract, {
      pk: queue.column.column_id,
      paused: true,
    });
    const eve = world.agent('eve');
    await expect(claimCard(main, eve, { card: reviewed, ...takeover }, null)).rejects.toMatchObject({
      code: 'not_claimable',
    });
  });
});

describe('a limit', () => {
  it('put on a column that was no queue holds at once, and stops nobody meanwhile', async () => {
    const desk = await makeDesk(world);
    const column = desk.todo;
    const contract = { enabled: true, concurrency_limit: 1 };
    await putContract(main, admin, { board: desk.board.id, column, contract });
    await made(world, desk, { column_id: column });
    await made(world, desk, { column_id: column });
    const queue = { ...desk.queue, column: { ...desk.queue.column, column_id: column } };
    await mustClaim(world.engine(), ada, queue);
    expect(await whyNothing(world.engine(), ada, queue)).toMatchObject({ reason: 'concurrency_limit' });
  });
});

describe('a lease', () => {
  it('cannot be asked for or renewed beyond what the contract permits', async () => {
    const queue = await createQueue(world, { lease_ttl_seconds: 60 });
    await seedCards(world, queue.column, 1);
    const long = { lease_ttl_seconds: 61 };
    const refused = { code: 'validation_failed', extras: { errors: [{ path: '/lease_ttl_seconds' }] } };
    await expect(claimFrom(main, ada, queue, long)).rejects.toMatchObject(refused);
    const held = await mustClaim(main, ada, queue);
    await expect(renew(main, ada, held, long)).rejects.toMatchObject(refused);
  });

  it('that expired in a paused column is not called lost while it may still be completed', async () => {
    const own = await createWorld();
    const queue = await createQueue(own);
    await seedCards(own, queue.column, 1);
    const held = await mustClaim(own.main, ada, queue);
    await putColumn(own, queue.board, 'Ready', 'work', queue.column.contract, {
      pk: queue.column.column_id,
      paused: true,
    });
    own.clock.advance(121_000);
    await reap(own.main, own.clock.now() + 50_000);
    await expect(renew(own.main, ada, held)).rejects.toMatchObject({ code: 'conflict' });
    const { run } = await complete(own.main, ada, held);
    expect(run).toMatchObject({ outcome: 'completed', late: true, error: null });
  });

  it('that was the last attempt leaves a queue that says what it is: empty', async () => {
    const queue = await createQueue(world, { max_attempts: 1 });
    await seedCards(world, queue.column, 1);
    await mustClaim(main, ada, queue);
    clock.advance(121_000);
    expect(await whyNothing(world.engine(), bob, queue)).toMatchObject({ reason: 'empty' });
  });
});

describe('hostile input', () => {
  it('of a name is refused in time that grows with its length alone', () => {
    const started = performance.now();
    expect(Name.safeParse(`${'a'.repeat(1_000_000)}\n`).success).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('of a cursor that no list made is refused as such', async () => {
    const queue = await createQueue(world);
    const forged = makeCursor(`leases ${queue.board}   `, {
      column: queue.column.column_id,
      pk: 'x',
      pos: '',
    });
    const input = { board: queue.board, limit: 50, cursor: forged };
    await expect(listLeases(main, admin, input)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});
