import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../shared/policy.ts';
import { CreateColumnBody, UpdateColumnBody } from '../../shared/schemas/columns.ts';
import { queueEntryKey } from '../../shared/store/keys.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { createColumn } from '../../shared/verbs/create-column.ts';
import { deleteColumn } from '../../shared/verbs/delete-column.ts';
import { getContract } from '../../shared/verbs/get-contract.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { resumeColumn } from '../../shared/verbs/resume-column.ts';
import { updateColumn } from '../../shared/verbs/update-column.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import {
  at,
  columnNamed,
  engineColumn,
  look,
  makeBoard,
  queueOf,
  refusal,
  repeatable,
} from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');
const names = (board: { columns: readonly { name: string }[] }) => board.columns.map(({ name }) => name);

describe('creating a column', () => {
  it('of any name crosses no other: a name is never part of a key (C-31, Faktory 1.10.0)', async () => {
    const board = await makeBoard(world);
    const odd = ['a#0', 'a', 'S#0', 'CFG', 'J#x', '..', '%23', 'COLUMN', 'é'.repeat(100)];
    for (const name of odd) {
      const { value } = await createColumn(main, admin, { board: board.slug, name }, null);
      await putContract(main, admin, { board: board.slug, column: value.id, contract: { enabled: true } });
    }
    const made = await look(world, board);
    const queues = await Promise.all(odd.map(async (name) => engineColumn(main, made, name)));
    const cards = new Map<string, string>();
    for (const queue of queues) cards.set((await seedCards(world, queue, 1))[0] ?? '', queue.column_id);
    for (const column of queues) {
      const queue = { ...(await queueOf(main, board)), column };
      const { card } = await mustClaim(main, ada, queue);
      expect([cards.get(card.id), card.column_id]).toEqual([column.column_id, column.column_id]);
      expect(await claimFrom(main, ada, queue)).toBeNull();
    }
  });

  it('puts it last, plain and no queue, unless told otherwise', async () => {
    const board = await makeBoard(world);
    const { value } = await createColumn(main, admin, { board: board.slug, name: 'Later' }, null);
    expect(value).toMatchObject({
      name: 'Later',
      role: 'plain',
      queue: false,
      paused: false,
      wip_limit: null,
    });
    const found = await look(world, board);
    expect(found.columns.at(-1)).toMatchObject(value);
    expect(columnNamed(found, 'Later').contract).toMatchObject({ enabled: false, max_attempts: 5 });
    expect(found.columns.slice(0, -1)).toEqual(board.columns);
  });

  it('puts it before or after another', async () => {
    const board = await makeBoard(world);
    const [triage, done] = [columnNamed(board, 'Triage').id, columnNamed(board, 'Done').id];
    await createColumn(main, admin, { board: board.id, name: 'First', before: triage, role: 'todo' }, null);
    await createColumn(main, admin, { board: board.id, name: 'Very last', after: done, wip_limit: 3 }, null);
    await createColumn(main, admin, { board: board.id, name: 'Second', after: triage }, null);
    expect(names(await look(world, board))).toEqual([
      'First',
      'Triage',
      'Second',
      'To do',
      'Ready',
      'Review',
      'Blocked',
      'Done',
      'Very last',
    ]);
  });

  it('refuses a neighbour of another board by its path and creates nothing', async () => {
    const [board, other] = [await makeBoard(world), await makeBoard(world)];
    const after = columnNamed(other, 'Done').id;
    const refused = await refusal(createColumn(main, admin, { board: board.id, name: 'x', after }, null));
    expect(refused).toMatchObject({ code: 'validation_failed', extras: { errors: [{ path: '/after' }] } });
    expect(await look(world, board)).toEqual(board);
  });

  it('answers a repeat with the same key with the same column, also when both come at once', async () => {
    const board = await makeBoard(world, { template: 'empty' });
    const key = repeatable('k-column');
    const asked = Array.from({ length: 5 }, async () =>
      createColumn(world.engine(), admin, { board: board.id, name: 'Once' }, key),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(names(await look(world, board))).toEqual(['Once']);
  });

  it('stops at the most columns that a board may have', async () => {
    const board = await makeBoard(world, { template: 'empty' });
    for (let count = 0; count < LIMITS.columnsPerBoard; count += 1) {
      await createColumn(main, admin, { board: board.id, name: `Column ${count}` }, null);
    }
    const refused = await refusal(createColumn(main, admin, { board: board.id, name: 'Too many' }, null));
    expect(refused.code).toBe('quota_exceeded');
  });

  it('refuses bodies with unknown fields, two neighbours, or a name of spaces', () => {
    for (const body of [
      { name: 'x', colour: 'red' },
      { name: 'x', before: 'col_1', after: 'col_2' },
      { name: '  ' },
      { name: 'a\nb' },
      { name: 'x', role: 'queue' },
      { name: 'x', wip_limit: 0 },
      {},
    ]) {
      expect(CreateColumnBody.safeParse(body).success, JSON.stringify(body)).toBe(false);
    }
    expect(UpdateColumnBody.safeParse({ contract: {} }).success).toBe(false);
  });
});

describe('changing a column', () => {
  it('changes its name, limit and place, and nothing of its contract', async () => {
    const board = await makeBoard(world);
    const ready = columnNamed(board, 'Ready');
    const changed = await updateColumn(main, admin, {
      ...at(board, 'Ready'),
      name: 'Work',
      wip_limit: 4,
      after: columnNamed(board, 'Done').id,
    });
    expect(changed).toMatchObject({ id: ready.id, name: 'Work', wip_limit: 4, role: 'work', queue: true });
    const found = await look(world, board);
    expect(names(found)).toEqual(['Triage', 'To do', 'Review', 'Blocked', 'Done', 'Work']);
    expect(columnNamed(found, 'Work').contract).toEqual(ready.contract);
    expect(
      (await updateColumn(main, admin, { ...at(board, 'Ready'), wip_limit: null })).wip_limit,
    ).toBeNull();
  });

  it('does not make a queue or a column with cards done, nor a done one with cards anything else', async () => {
    const board = await makeBoard(world);
    await seedCards(world, await engineColumn(main, board, 'To do'), 1);
    await seedCards(world, await engineColumn(main, board, 'Done'), 1);
    for (const [name, role] of [
      ['Ready', 'done'],
      ['To do', 'done'],
      ['Done', 'plain'],
    ] as const) {
      expect((await refusal(updateColumn(main, admin, { ...at(board, name), role }))).code, name).toBe(
        'conflict',
      );
    }
    expect(await updateColumn(main, admin, { ...at(board, 'Triage'), role: 'done' })).toMatchObject({
      role: 'done',
    });
    expect(await updateColumn(main, admin, { ...at(board, 'To do'), role: 'triage' })).toMatchObject({
      role: 'triage',
    });
  });

  it('does not find a column of another board, whatever board the path names', async () => {
    const [board, other] = [await makeBoard(world), await makeBoard(world)];
    const input = { board: board.id, column: columnNamed(other, 'Ready').id };
    for (const call of [
      updateColumn(main, admin, { ...input, name: 'x' }),
      deleteColumn(main, admin, input),
      getContract(main, admin, input),
      putContract(main, admin, { ...input, contract: {} }),
      pauseColumn(main, admin, input),
      resumeColumn(main, admin, input),
    ]) {
      expect((await refusal(call)).code).toBe('not_found');
    }
    expect(await look(world, other)).toEqual(other);
  });

  it('changes nothing on an archived board', async () => {
    const board = await makeBoard(world);
    await archiveBoard(main, admin, { board: board.id });
    const archived = await look(world, board);
    for (const call of [
      createColumn(main, admin, { board: board.id, name: 'x' }, null),
      updateColumn(main, admin, { ...at(board, 'Ready'), name: 'x' }),
      deleteColumn(main, admin, at(board, 'Blocked')),
      putContract(main, admin, { ...at(board, 'Ready'), contract: {} }),
      pauseColumn(main, admin, at(board, 'Ready')),
    ]) {
      expect((await refusal(call)).code).toBe('conflict');
    }
    expect(await look(world, board)).toEqual(archived);
  });
});

describe('pausing a queue', () => {
  it('stops claims while the lease that is out may still be completed, and resuming goes on', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 2);
    const held = await mustClaim(main, ada, queue);
    expect(await pauseColumn(main, admin, at(board, 'Ready'))).toMatchObject({ paused: true, queue: true });
    expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'paused' });
    expect((await complete(main, ada, held)).card.state).toBe('done');
    expect(columnNamed(await look(world, board), 'Ready').paused).toBe(true);
    expect(await resumeColumn(main, admin, at(board, 'Ready'))).toMatchObject({ paused: false });
    await mustClaim(main, ada, queue);
  });

  it('is in force within two seconds on an instance that remembers the column', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 2);
    const other = world.engine();
    await mustClaim(other, ada, queue);
    await pauseColumn(main, admin, at(board, 'Ready'));
    world.clock.advance(2_000);
    expect(await whyNothing(other, ada, queue)).toMatchObject({ reason: 'paused' });
  });

  it('makes one event when it is asked for twice', async () => {
    const board = await makeBoard(world);
    const paused = await pauseColumn(main, admin, at(board, 'Ready'));
    expect(await pauseColumn(main, admin, at(board, 'Ready'))).toEqual(paused);
    expect(await look(world, board)).toMatchObject({ rev: board.rev + 1 });
  });

  it('is refused on a column that is no queue', async () => {
    const board = await makeBoard(world);
    expect((await refusal(pauseColumn(main, admin, at(board, 'Triage')))).code).toBe('contract_disabled');
  });
});

describe('deleting a column', () => {
  it('takes an empty one off the board and out of the queues, and it is not found any more', async () => {
    const board = await makeBoard(world);
    const input = at(board, 'Review');
    await deleteColumn(main, admin, input);
    expect(names(await look(world, board))).toEqual(['Triage', 'To do', 'Ready', 'Blocked', 'Done']);
    expect((await refusal(deleteColumn(main, admin, input))).code).toBe('not_found');
    expect((await refusal(getContract(world.engine(), admin, input))).code).toBe('not_found');
    const claim = claimFrom(world.engine(), ada, {
      ...(await queueOf(main, board)),
      column: { ...(await engineColumn(main, board, 'Review')) },
    });
    expect((await refusal(claim)).code).toBe('not_found');
    expect(await main.store.get(queueEntryKey(input.column))).toBeUndefined();
  });

  it.each([
    ['ready', 'Ready', {}],
    ['waiting for a time', 'Ready', { not_before: Number.MAX_SAFE_INTEGER / 1_000 }],
    ['idle', 'Blocked', {}],
    ['waiting as a draft', 'Review', { draft: true as const }],
  ])('is refused while a card is in it that is %s', async (_state, name, job) => {
    const board = await makeBoard(world);
    await seedCards(world, await engineColumn(main, board, name), 1, () => job);
    const refused = await refusal(deleteColumn(main, admin, at(board, name)));
    expect(refused).toMatchObject({ code: 'conflict' });
    expect(refused.message).toContain(name);
    expect(names(await look(world, board))).toEqual(names(board));
  });

  it('is refused while a contract sends cards to it', async () => {
    const board = await makeBoard(world);
    const refused = await refusal(deleteColumn(main, admin, at(board, 'Done')));
    expect(refused).toMatchObject({ code: 'conflict' });
    expect(refused.message).toContain("'Ready'");
    expect(names(await look(world, board))).toEqual(names(board));
  });

  it('never lets a contract that is put at the same moment name a deleted column', async () => {
    for (let round = 0; round < 4; round += 1) {
      const board = await makeBoard(world);
      const target = columnNamed(board, 'Blocked').id;
      const contract = { enabled: true, on_success_column_id: target };
      const [put, deleted] = await Promise.allSettled([
        putContract(world.engine(), admin, { ...at(board, 'Ready'), contract }),
        deleteColumn(world.engine(), admin, at(board, 'Blocked')),
      ]);
      expect([put.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected']);
      const found = await look(world, board);
      const named = columnNamed(found, 'Ready').contract.on_success_column_id;
      expect(found.columns.map(({ id }) => id)).toContain(named);
    }
  });
});
