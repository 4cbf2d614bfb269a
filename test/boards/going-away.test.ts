import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { listGoing } from '../../shared/going-away/register.ts';
import { tendGoing } from '../../shared/going-away/tend-going.ts';
import { readJob } from '../../shared/jobs.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { documentClient } from '../../shared/store/client.ts';
import { columnKey, dedupeKey, slotKey } from '../../shared/store/keys.ts';
import { createBoard } from '../../shared/verbs/create-board.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { deleteColumn } from '../../shared/verbs/delete-column.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { listBoards } from '../../shared/verbs/list-boards.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim, renew } from '../support/worker.ts';
import type { BoardDetail } from '../../shared/views/board.ts';
import { createWorld, type World } from '../support/world.ts';
import { at, columnNamed, engineColumn, look, makeBoard, queueOf, refusal } from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');

/** The reaper's run, a minute after the one before. */
async function nextMinute(own: World = world): Promise<void> {
  own.clock.advance(GOING_SETTLE_MS);
  await tendGoing(own.engine(), own.clock.now() + 50_000);
}

describe('a closing column', () => {
  it('is removed with its slots once it has been empty for a minute', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board, 'Review');
    const slot = slotKey(queue.column.column_id, 0);
    await main.store.write({ kind: 'put', item: { ...slot, v: 1, card_id: 'crd_gone', take: 't' } });
    await deleteColumn(main, admin, at(board, 'Review'));
    await tendGoing(main, world.clock.now() + 50_000);
    expect(await main.store.get(columnKey(queue.column.column_id))).toBeDefined();
    await nextMinute();
    expect(await main.store.get(columnKey(queue.column.column_id))).toBeUndefined();
    expect(await main.store.get(slot)).toBeUndefined();
    expect(await listGoing(main)).toEqual([]);
  });

  it('moves a card that still lands in it to the first column, and begins its minute anew', async () => {
    const board = await makeBoard(world);
    const blocked = await engineColumn(main, board, 'Blocked');
    await deleteColumn(main, admin, at(board, 'Blocked'));
    world.clock.advance(GOING_SETTLE_MS - 10);
    const [late = ''] = await seedCards(world, blocked, 1);
    world.clock.advance(10);
    await tendGoing(main, world.clock.now() + 50_000);
    expect(await readJob(main, late)).toMatchObject({
      column_id: columnNamed(board, 'Triage').id,
      state: 'idle',
      ev: [{ type: 'card.moved', from: { column_id: blocked.column_id } }],
    });
    await tendGoing(main, world.clock.now() + 50_000);
    expect(await main.store.get(columnKey(blocked.column_id))).toBeDefined();
    await nextMinute();
    expect(await main.store.get(columnKey(blocked.column_id))).toBeUndefined();
  });

  it('leaves a card done that a worker completed into it', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 1);
    const stale = await remembering(queue);
    const held = await mustClaim(stale, ada, queue);
    for (const name of ['Ready', 'Review']) {
      await putContract(main, admin, { ...at(board, name), contract: { enabled: true } });
    }
    await deleteColumn(main, admin, at(board, 'Done'));
    expect((await complete(stale, ada, held)).card.column_id).toBe(queue.done.column_id);
    await nextMinute();
    expect(await readJob(main, held.card.id)).toMatchObject({
      column_id: columnNamed(board, 'Triage').id,
      state: 'done',
      lane: expect.stringContaining(columnNamed(board, 'Triage').id.slice('col_'.length)),
    });
  });

  it('leaves a card with the worker that holds it, and moves it once the lease has run out', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board, 'Review');
    const stale = await remembering(queue);
    await deleteColumn(main, admin, at(board, 'Review'));
    await seedCards(world, queue.column, 1);
    const held = await mustClaim(stale, ada, queue);
    await nextMinute();
    expect(await readJob(main, held.card.id)).toMatchObject({
      column_id: queue.column.column_id,
      state: 'leased',
    });
    world.clock.advance(60_000);
    await nextMinute();
    await nextMinute();
    expect(await readJob(main, held.card.id)).toMatchObject({
      column_id: columnNamed(board, 'Triage').id,
      state: 'idle',
      attempt: 1,
    });
  });

  /** An instance that remembers a queue and its success column as they were. */
  async function remembering(queue: Awaited<ReturnType<typeof queueOf>>) {
    const stale = world.engine();
    for (const { column_id, item } of [queue.column, queue.done]) {
      await stale.columns.get(column_id, async () => item);
    }
    return stale;
  }
});

describe('a board deleted for good', () => {
  it('is not found from the answer on, is in no list, and offers nothing', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 1);
    await deleteBoard(main, admin, { board: board.slug });
    for (const engine of [main, world.engine()]) {
      expect((await refusal(getBoard(engine, admin, { board: board.id }))).code).toBe('not_found');
      expect((await refusal(getBoard(engine, admin, { board: board.slug }))).code).toBe('not_found');
      expect((await refusal(claimFrom(engine, ada, queue))).code).toBe('not_found');
    }
    for (const archived of [false, true]) {
      const { items } = await listBoards(main, admin, { limit: 100, archived });
      expect(items.map(({ id }) => id)).not.toContain(board.id);
    }
    expect((await refusal(deleteBoard(main, admin, { board: board.id }))).code).toBe('not_found');
  });

  it('leaves nothing behind in the table, keeps its slug until then, and touches no other board', async () => {
    const own = await createWorld();
    const [board, other] = [await makeBoard(own, { slug: 'gone' }), await makeBoard(own)];
    const queue = await queueOf(own.main, board);
    const kept = await seedCards(own, (await queueOf(own.main, other)).column, 2);
    const cards = await seedCards(own, queue.column, 30);
    await complete(own.main, ada, await mustClaim(own.main, ada, queue));
    const held = await mustClaim(own.main, ada, queue);
    await giveDedupeKey(own, board.id, held.card.id, 'k');
    const limited = { ...queue.column.contract, concurrency_limit: 3 };
    await putContract(own.main, admin, { ...at(board, 'Ready'), contract: limited });
    own.clock.advance(10_000);
    await claimFrom(own.main, ada, queue);
    await deleteColumn(own.main, admin, at(board, 'Blocked'));
    await deleteBoard(own.main, admin, { board: board.id });

    await tendGoing(own.main, own.clock.now() + 50_000);
    expect((await refusal(renew(own.main, ada, held))).code).toBe('not_found');
    expect((await refusal(complete(own.main, ada, held))).code).toBe('not_found');
    expect((await refusal(getCard(own.main, admin, { card: held.card.id }))).code).toBe('not_found');
    await nextMinute(own);
    const refused = await refusal(createBoard(own.main, admin, { name: 'x', slug: 'gone' }, null));
    expect(refused.code).toBe('conflict');
    expect((await refusal(renew(own.main, ada, held))).code).toBe('not_found');
    await nextMinute(own);
    expect(await itemsNaming(own, board, cards)).toEqual([]);
    expect(await listGoing(own.main)).toEqual([]);

    expect((await look(own, other)).counts.ready).toBe(kept.length);
    expect(await makeBoard(own, { slug: 'gone' })).toMatchObject({ slug: 'gone' });
  });

  it('goes on where it was cut short', async () => {
    const own = await createWorld();
    const board = await makeBoard(own);
    await seedCards(own, (await queueOf(own.main, board)).column, 120);
    await deleteBoard(own.main, admin, { board: board.id });
    own.clock.advance(GOING_SETTLE_MS);
    let ticks = own.clock.now();
    const hurried = { ...own.main, deps: { ...own.main.deps, now: () => (ticks += 1) } };
    await tendGoing(hurried, own.clock.now() + 6);
    const left = (await itemsNaming(own, board)).filter((name) => name.endsWith(' CARD')).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(120);
    for (let minute = 0; minute < 3; minute += 1) await nextMinute(own);
    expect(await itemsNaming(own, board)).toEqual([]);
  });
});

async function giveDedupeKey(own: World, boardId: string, cardId: string, key: string): Promise<void> {
  const client = own.main.store;
  await client.write({
    kind: 'update',
    key: { pk: cardId, sk: 'CARD' },
    set: { dedupe_key: key },
    remove: [],
  });
  const item = { ...dedupeKey(boardId, key), v: 1, board_id: boardId, card_id: cardId, take: 't' };
  await client.write({ kind: 'put', item });
}

/** Everything in the table that names the board, one of its columns, or one of `more`. */
async function itemsNaming(own: World, board: BoardDetail, more: readonly string[] = []): Promise<string[]> {
  const ids = [board.id, ...board.columns.map(({ id }) => id), ...more];
  const client = documentClient(own.table.clientOptions);
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: own.table.tableName, ConsistentRead: true }),
  );
  const named = Items.filter((item) => ids.some((id) => JSON.stringify(item).includes(id)));
  return named.map(({ pk, sk }) => `${pk} ${sk}`);
}
