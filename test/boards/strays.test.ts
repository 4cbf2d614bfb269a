import { describe, expect, it } from 'vitest';
import { tendQueue } from '../../shared/boards/queue-register.ts';
import { settleStrays } from '../../shared/boards/strays.ts';
import { findColumn } from '../../shared/columns.ts';
import { readCard, readJob } from '../../shared/jobs.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { queueEntryKey } from '../../shared/store/keys.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { seedCards } from '../support/seed.ts';
import { complete, fail, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { at, engineColumn, look, makeBoard, queueOf } from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');
const soon = () => world.clock.now() + 60_000;

const enable = { enabled: true };
const disable = { enabled: false };

describe('a column that becomes a queue', () => {
  it('offers the cards that stood idle in it, in their order, and one event each says so', async () => {
    const board = await makeBoard(world);
    const ids = await seedCards(world, await engineColumn(main, board, 'To do'), 60);
    await putContract(main, admin, { ...at(board, 'To do'), contract: enable });
    expect((await look(world, board)).counts).toMatchObject({ ready: 60, idle: 0 });
    const job = await readJob(main, ids[0] ?? '');
    expect(job).toMatchObject({ state: 'ready', sequence: 2, rev: 1, ev: [{ type: 'card.ready' }] });
    const held = await mustClaim(main, ada, await queueOf(main, board, 'To do'));
    expect(held.card.id).toBe(ids[0]);
  });

  it('keeps back those that wait for something, and checks the input of all', async () => {
    const board = await makeBoard(world);
    const todo = await engineColumn(main, board, 'To do');
    const [draft = ''] = await seedCards(world, todo, 1, () => ({ draft: true }));
    const [bad = ''] = await seedCards(world, todo, 1);
    const contract = { ...enable, input_schema: { type: 'object', required: ['missing'] } };
    await putContract(main, admin, { ...at(board, 'To do'), contract });
    expect(await readJob(main, draft)).toMatchObject({ state: 'waiting', waiting_on: 'draft' });
    const read = await readCard(main, bad);
    expect(read?.job).toMatchObject({ state: 'waiting', waiting_on: 'input' });
    expect(read?.card.input_errors).toHaveLength(1);
  });

  it('gets those that another instance still wrote as idle from the reaper', async () => {
    const board = await makeBoard(world);
    const before = await engineColumn(main, board, 'To do');
    await putContract(main, admin, { ...at(board, 'To do'), contract: enable });
    const [late = ''] = await seedCards(world, before, 1);
    await tendQueue(main, before.column_id, soon());
    expect((await mustClaim(main, ada, await queueOf(main, board, 'To do'))).card.id).toBe(late);
  });
});

describe('a queue that ends', () => {
  it('leaves its cards idle where they are, and offers none', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const states = [{}, { draft: true as const }, { not_before: soon() }, { scheduled_at: soon() }];
    const ids = await seedCards(world, queue.column, states.length, (nth) => states[nth] ?? {});
    await putContract(main, admin, { ...at(board, 'Ready'), contract: disable });
    for (const id of ids) {
      expect(await readJob(main, id)).toMatchObject({ state: 'idle', column_id: queue.column.column_id });
    }
    expect((await look(world, board)).counts).toMatchObject({ idle: 4, ready: 0, waiting: 0 });
  });

  it('lets a worker finish the card that it holds', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 2);
    const [first, second] = [await mustClaim(main, ada, queue), await mustClaim(main, ada, queue)];
    const contract = { ...queue.column.contract, enabled: false };
    await putContract(main, admin, { ...at(board, 'Ready'), contract });
    expect((await readJob(main, first.card.id))?.state).toBe('leased');
    expect((await complete(main, ada, first)).card).toMatchObject({ state: 'done' });
    expect((await fail(main, ada, second)).card).toMatchObject({ state: 'idle' });
  });

  it('stays with the reaper until nothing of a queue is left in it, and is then struck off', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const id = queue.column.column_id;
    await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    await putContract(main, admin, { ...at(board, 'Ready'), contract: disable });
    world.clock.advance(GOING_SETTLE_MS);
    await tendQueue(main, id, soon());
    expect(await main.store.get(queueEntryKey(id))).toBeDefined();
    await complete(main, ada, held);
    await tendQueue(main, id, soon());
    expect(await main.store.get(queueEntryKey(id))).toBeUndefined();
    expect((await look(world, board)).counts).toMatchObject({ leased: 0 });
  });

  it('is not struck off when it has become a queue again', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const id = queue.column.column_id;
    const reaper = world.engine();
    await putContract(main, admin, { ...at(board, 'Ready'), contract: disable });
    world.clock.advance(GOING_SETTLE_MS);
    expect(await findColumn(reaper, id)).toMatchObject({ queue: false });
    await putContract(main, admin, { ...at(board, 'Ready'), contract: enable });
    await tendQueue(reaper, id, soon());
    expect(await main.store.get(queueEntryKey(id))).toBeDefined();
  });

  it('offers all its cards again when it is enabled again', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 3);
    await putContract(main, admin, { ...at(board, 'Ready'), contract: disable });
    await putContract(main, admin, { ...at(board, 'Ready'), contract: enable });
    for (let count = 0; count < 3; count += 1) await mustClaim(main, ada, queue);
    expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'all_held' });
  });
});

it('stops at its deadline and says that it has not seen all', async () => {
  const board = await makeBoard(world);
  const column = await engineColumn(main, board, 'Ready');
  expect(await settleStrays(main, column, world.clock.now())).toBe(false);
  expect(await settleStrays(main, column, soon())).toBe(true);
});
