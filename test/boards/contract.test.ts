import { describe, expect, it } from 'vitest';
import { DEFAULT_CONTRACT } from '../../shared/contract/contract-fields.ts';
import { columnKey, queueEntryKey } from '../../shared/store/keys.ts';
import { getContract } from '../../shared/verbs/get-contract.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { at, columnNamed, engineColumn, look, makeBoard, queueOf, refusal } from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');
const schema = { type: 'object', required: ['repository'], properties: { repository: { type: 'string' } } };

describe('putting a contract', () => {
  it('replaces all of it: what is left out takes its default', async () => {
    const board = await makeBoard(world);
    const ready = at(board, 'Ready');
    const whole = { enabled: true, lease_ttl_seconds: 30, max_attempts: 2, input_schema: schema };
    const put = await putContract(main, admin, { ...ready, contract: whole });
    expect(put).toEqual({ ...DEFAULT_CONTRACT, ...whole });
    const again = await putContract(main, admin, { ...ready, contract: { enabled: true } });
    expect(again).toEqual({ ...DEFAULT_CONTRACT, enabled: true });
    expect(await getContract(world.engine(), admin, ready)).toEqual(again);
  });

  it('answers at GET exactly what PUT takes, for queues and plain columns', async () => {
    const board = await makeBoard(world);
    for (const name of ['Ready', 'Triage']) {
      const contract = await getContract(main, admin, at(board, name));
      expect(await putContract(main, admin, { ...at(board, name), contract })).toEqual(contract);
    }
    expect(await getContract(main, admin, at(board, 'Triage'))).toEqual(DEFAULT_CONTRACT);
    expect(await look(world, board)).toEqual(board);
  });

  it('keeps schemas that nest deeper than the table does', async () => {
    const board = await makeBoard(world);
    let nested: object = { type: 'string' };
    for (let level = 0; level < 18; level += 1) nested = { type: 'object', properties: { inner: nested } };
    const contract = { enabled: true, input_schema: nested, output_schema: true };
    await putContract(main, admin, { ...at(board, 'Ready'), contract });
    expect(await getContract(world.engine(), admin, at(board, 'Ready'))).toMatchObject(contract);
  });

  it.each([
    ['an unknown field', { enabled: true, max_retries: 3 }, '/max_retries'],
    ['a number out of its bounds', { lease_ttl_seconds: 4 }, '/lease_ttl_seconds'],
    ['null where it means nothing', { max_attempts: null }, '/max_attempts'],
    ['a wait that is no number', { backoff_seconds: [1, 'x'] }, '/backoff_seconds/1'],
    ['a schema that does not compile', { input_schema: { type: 'nothing' } }, '/input_schema/type'],
    [
      'a schema that refers elsewhere',
      { output_schema: { $ref: 'https://example.com/s' } },
      '/output_schema/$ref',
    ],
    [
      'a success column that does not exist',
      { on_success_column_id: 'col_missing' },
      '/on_success_column_id',
    ],
    ['a body that is no object', [], ''],
  ])('refuses %s by its path and changes nothing', async (_what, contract, path) => {
    const board = await makeBoard(world);
    const refused = await refusal(putContract(main, admin, { ...at(board, 'Ready'), contract }));
    expect(refused).toMatchObject({ code: 'invalid_contract', extras: { errors: [{ path }] } });
    expect(await look(world, board)).toEqual(board);
  });

  it('refuses itself and a column of another board as the success column', async () => {
    const [board, other] = [await makeBoard(world), await makeBoard(world)];
    for (const target of [columnNamed(board, 'Ready').id, columnNamed(other, 'Done').id]) {
      const contract = { enabled: true, on_success_column_id: target };
      const refused = await refusal(putContract(main, admin, { ...at(board, 'Ready'), contract }));
      expect(refused).toMatchObject({
        code: 'invalid_contract',
        extras: { errors: [{ path: '/on_success_column_id' }] },
      });
    }
  });

  it('takes a column as its own failure column, where dead cards then stay', async () => {
    const board = await makeBoard(world);
    const contract = { enabled: true, on_failure_column_id: columnNamed(board, 'Ready').id };
    expect(await putContract(main, admin, { ...at(board, 'Ready'), contract })).toMatchObject(contract);
  });

  it('refuses to make a queue of a column where everything is done', async () => {
    const board = await makeBoard(world);
    const refused = await refusal(
      putContract(main, admin, { ...at(board, 'Done'), contract: { enabled: true } }),
    );
    expect(refused).toMatchObject({ code: 'invalid_contract', extras: { errors: [{ path: '/enabled' }] } });
  });

  it('numbers the input schema anew only when that changes', async () => {
    const board = await makeBoard(world);
    const ready = at(board, 'Ready');
    const numbers: unknown[] = [];
    for (const contract of [
      { enabled: true, input_schema: schema },
      { enabled: true, input_schema: schema, max_attempts: 3 },
      { enabled: true, input_schema: { ...schema, required: [] } },
      { enabled: true },
    ]) {
      await putContract(main, admin, { ...ready, contract });
      numbers.push((await main.store.get(columnKey(ready.column)))?.['schema_no']);
    }
    expect(numbers).toEqual([2, 2, 3, 4]);
  });

  it('is in force within two seconds on an instance that remembers the column', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 2);
    const other = world.engine();
    await mustClaim(other, ada, queue);
    await putContract(main, admin, { ...at(board, 'Ready'), contract: { enabled: false } });
    world.clock.advance(2_000);
    expect((await refusal(claimFrom(other, ada, queue))).code).toBe('contract_disabled');
  });

  it('loses neither of two contracts put at the same moment on two columns', async () => {
    const board = await makeBoard(world);
    await Promise.all(
      ['Ready', 'Review', 'To do', 'Triage'].map(async (name) =>
        putContract(world.engine(), admin, {
          ...at(board, name),
          contract: { enabled: true, max_attempts: 9 },
        }),
      ),
    );
    const found = await look(world, board);
    for (const name of ['Ready', 'Review', 'To do', 'Triage']) {
      expect(columnNamed(found, name).contract, name).toMatchObject({ enabled: true, max_attempts: 9 });
    }
    expect(found.rev).toBe(board.rev + 4);
  });
});

describe('a limit set while leases live without slots', () => {
  it('lets no claim through until fewer live than the limit', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    await seedCards(world, queue.column, 4);
    await mustClaim(main, ada, queue);
    await mustClaim(main, ada, queue);
    const contract = { ...queue.column.contract, concurrency_limit: 2 };
    await putContract(main, admin, { ...at(board, 'Ready'), contract });
    for (let second = 0; second < 10; second += 1) {
      expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'concurrency_limit' });
      world.clock.advance(1_000);
    }
    expect((await look(world, board)).counts.leased).toBe(2);
  });

  it('marks the column as adopting when the limit is new, and not when it is only changed', async () => {
    const board = await makeBoard(world);
    const ready = at(board, 'Ready');
    const adopting = async () => (await main.store.get(columnKey(ready.column)))?.['adopting_at'];
    await putContract(main, admin, { ...ready, contract: { enabled: true, concurrency_limit: 5 } });
    const since = world.clock.now();
    expect(await adopting()).toBe(since);
    world.clock.advance(1_000);
    await putContract(main, admin, { ...ready, contract: { enabled: true, concurrency_limit: 2 } });
    expect(await adopting()).toBe(since);
    await putContract(main, admin, { ...ready, contract: { enabled: true } });
    expect(await adopting()).toBeUndefined();
  });
});

describe('the register of queues', () => {
  it('lists a column from the moment that its contract is enabled', async () => {
    const board = await makeBoard(world);
    const triage = await engineColumn(main, board, 'Triage');
    expect(await main.store.get(queueEntryKey(triage.column_id))).toBeUndefined();
    await putContract(main, admin, { ...at(board, 'Triage'), contract: { enabled: true } });
    expect(await main.store.get(queueEntryKey(triage.column_id))).toMatchObject({ board_id: board.id });
  });
});
