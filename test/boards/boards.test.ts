import { describe, expect, it } from 'vitest';
import { readJob } from '../../shared/jobs.ts';
import { CreateBoardBody, UpdateBoardBody } from '../../shared/schemas/boards.ts';
import { boardKey } from '../../shared/store/keys.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { createBoard } from '../../shared/verbs/create-board.ts';
import { createColumn } from '../../shared/verbs/create-column.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { listBoards } from '../../shared/verbs/list-boards.ts';
import { restoreBoard } from '../../shared/verbs/restore-board.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { columnNamed, engineColumn, look, makeBoard, queueOf, refusal, repeatable } from './support/board.ts';

const world = await createWorld();
const { main, admin } = world;
const everything = { limit: 100, archived: false };

describe('creating a board', () => {
  it('gives the default template six columns, two of them queues that end in Done', async () => {
    const board = await makeBoard(world, { name: 'Bug reports' });
    const found = await look(world, board);
    expect(found.columns.map(({ name, role, queue }) => [name, role, queue])).toEqual([
      ['Triage', 'triage', false],
      ['To do', 'todo', false],
      ['Ready', 'work', true],
      ['Review', 'review', true],
      ['Blocked', 'blocked', false],
      ['Done', 'done', false],
    ]);
    const done = columnNamed(found, 'Done').id;
    expect(columnNamed(found, 'Ready').contract).toMatchObject({
      enabled: true,
      lease_ttl_seconds: 120,
      max_attempts: 5,
      on_success_column_id: done,
      on_failure_column_id: null,
    });
    expect(columnNamed(found, 'Review').contract.on_success_column_id).toBe(done);
    expect(columnNamed(found, 'Done').contract).toMatchObject({ enabled: false, on_success_column_id: null });
    expect(found).toEqual(board);
  });

  it('makes queues that hand out cards at once', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const [id] = await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, world.agent('ada'), queue);
    expect(held.card.id).toBe(id);
    const { card } = await complete(main, world.agent('ada'), held);
    expect(card).toMatchObject({ state: 'done', column_id: columnNamed(board, 'Done').id });
  });

  it('has no columns from the empty template', async () => {
    const board = await makeBoard(world, { template: 'empty' });
    expect((await look(world, board)).columns).toEqual([]);
  });

  it.each([
    ['Bug reports', 'bug-reports', 'BUGRE'],
    ['  Überprüfung / Größe ', 'uberprufung-gro-e', 'UBERP'],
    ['__init__', 'init__', 'INIT'],
    ['日本', 'board', 'BOARD'],
  ])('derives the slug of "%s" from its name', async (name, slug, prefix) => {
    const { value } = await createBoard((await createWorld()).main, admin, { name }, null);
    expect(value).toMatchObject({ name, slug, key_prefix: prefix });
  });

  it('cuts a derived slug to its bound', async () => {
    const board = await makeBoard(world, { name: `${'long '.repeat(19)}name` });
    expect(CreateBoardBody.safeParse({ name: 'x', slug: board.slug }).success).toBe(true);
  });

  it('lowers an upper-case slug and refuses any other that breaks the rules', () => {
    expect(CreateBoardBody.parse({ name: 'x', slug: 'My_Board-2' }).slug).toBe('my_board-2');
    for (const slug of ['', '-a', '_a', 'a b', 'a/b', 'ä', 'a#b', 'a.b', 'a:b', 'x'.repeat(65)]) {
      expect(CreateBoardBody.safeParse({ name: 'x', slug }).success, slug).toBe(false);
    }
  });

  it('is found by id, by slug, and by slug in upper case', async () => {
    const board = await makeBoard(world, { slug: 'three-names' });
    for (const name of [board.id, 'three-names', 'Three-Names']) {
      expect((await getBoard(main, admin, { board: name })).id).toBe(board.id);
    }
  });

  it('refuses a slug that is taken and leaves the first board as it was', async () => {
    const first = await makeBoard(world, { slug: 'taken' });
    const refused = await refusal(createBoard(main, admin, { name: 'Other', slug: 'taken' }, null));
    expect(refused).toMatchObject({ code: 'conflict' });
    expect(refused.message).toContain("'taken'");
    expect(await look(world, first)).toEqual(first);
  });

  it('lets one of many win that ask for one slug at the same moment', async () => {
    const asked = Array.from({ length: 8 }, async () =>
      createBoard(world.engine(), admin, { name: 'Race', slug: 'race' }, null),
    );
    const results = await Promise.allSettled(asked);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const { items } = await listBoards(main, admin, everything);
    expect(items.filter(({ slug }) => slug === 'race')).toHaveLength(1);
  });

  it('answers a repeat with the same key with the same board, as it is now', async () => {
    const input = { name: 'Once', slug: 'once' };
    const first = await createBoard(main, admin, input, repeatable('k-once'));
    await updateBoard(main, admin, { board: 'once', name: 'Renamed' });
    const again = await createBoard(world.engine(), admin, input, repeatable('k-once'));
    expect(again).toMatchObject({ replayed: true, created: true });
    expect(again.value).toMatchObject({ id: first.value.id, name: 'Renamed' });
    expect(first).toMatchObject({ replayed: false, created: true });
  });

  it('answers all equal requests at once with one board', async () => {
    const asked = Array.from({ length: 6 }, async () =>
      createBoard(world.engine(), admin, { name: 'Equal' }, repeatable('k-equal')),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  });

  it('refuses a key that was used for another body', async () => {
    await createBoard(main, admin, { name: 'Key' }, repeatable('k-other', 'one'));
    const refused = await refusal(createBoard(main, admin, { name: 'Key 2' }, repeatable('k-other', 'two')));
    expect(refused.code).toBe('idempotency_key_reused');
  });

  it('is not for a token that is bound to one board', async () => {
    const board = await makeBoard(world);
    const bound = { ...admin, boardId: board.id };
    expect(await refusal(createBoard(main, bound, { name: 'Mine' }, null))).toMatchObject({
      code: 'forbidden',
    });
  });
});

describe('changing a board', () => {
  it('changes what is given, takes away what is null, and leaves the rest', async () => {
    const board = await makeBoard(world, { description: 'Old', icon: '🐛' });
    world.clock.advance(1_000);
    const changed = await updateBoard(main, admin, {
      board: board.slug,
      name: 'New name',
      description: null,
      max_in_progress: 7,
    });
    expect(changed).toMatchObject({
      name: 'New name',
      description: null,
      icon: '🐛',
      max_in_progress: 7,
      slug: board.slug,
      rev: board.rev + 1,
    });
    expect(await look(world, board)).toMatchObject({ ...changed, columns: board.columns });
  });

  it('writes nothing for a change that changes nothing', async () => {
    const board = await makeBoard(world);
    world.meter.reset();
    expect(await updateBoard(main, admin, { board: board.id, name: board.name, icon: null })).toMatchObject({
      rev: board.rev,
    });
    expect(world.meter.writeUnits).toBe(0);
  });

  it('does not know the slug as a field, since addresses must not change', () => {
    expect(UpdateBoardBody.safeParse({ slug: 'other' }).success).toBe(false);
    expect(UpdateBoardBody.safeParse({ max_in_progress: 0 }).success).toBe(false);
  });

  it('loses none of many changes made at the same moment', async () => {
    const board = await makeBoard(world);
    await Promise.all([
      updateBoard(world.engine(), admin, { board: board.id, name: 'Both' }),
      updateBoard(world.engine(), admin, { board: board.id, icon: '🎯' }),
      ...['A', 'B', 'C'].map(async (name) =>
        createColumn(world.engine(), admin, { board: board.id, name }, null),
      ),
    ]);
    const found = await look(world, board);
    expect(found).toMatchObject({ name: 'Both', icon: '🎯', rev: board.rev + 5 });
    expect(found.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['A', 'B', 'C', 'Triage']));
    expect(found.columns).toHaveLength(board.columns.length + 3);
    const stored = await main.store.get(boardKey(board.id));
    expect(stored).toMatchObject({
      sequence: 5,
      ev: [expect.objectContaining({ type: expect.any(String) })],
    });
  });
});

describe('archiving a board', () => {
  it('hides it from the list, keeps it readable, stops its queues, and is undone by restoring', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const [id = ''] = await seedCards(world, queue.column, 1);
    await archiveBoard(main, admin, { board: board.slug });
    await archiveBoard(main, admin, { board: board.slug });

    const found = await look(world, board);
    expect(found).toMatchObject({ id: board.id, rev: board.rev + 1, counts: { ready: 1 } });
    expect(found.archived_at).not.toBeNull();
    expect((await listBoards(main, admin, everything)).items.map((one) => one.id)).not.toContain(board.id);
    const archived = await listBoards(main, admin, { limit: 100, archived: true });
    expect(archived.items.map((one) => one.id)).toContain(board.id);
    expect(await refusal(claimFrom(main, world.agent('ada'), queue))).toMatchObject({ code: 'conflict' });
    expect(await refusal(updateBoard(main, admin, { board: board.id, name: 'x' }))).toMatchObject({
      code: 'conflict',
    });
    expect((await readJob(main, id))?.state).toBe('ready');

    expect((await restoreBoard(main, admin, { board: board.id })).archived_at).toBeNull();
    expect((await mustClaim(main, world.agent('ada'), queue)).card.id).toBe(id);
  });
});

describe('listing boards', () => {
  it('pages through all of them once, oldest first', async () => {
    const own = await createWorld();
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      own.clock.advance(1);
      made.push((await makeBoard(own, { template: 'empty' })).id);
    }
    await archiveBoard(own.main, admin, { board: made[3] ?? '' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listBoards(own.main, admin, {
        limit: 2,
        archived: false,
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made.toSpliced(3, 1));
  });

  it('refuses a made-up cursor, and one of another list', async () => {
    for (const cursor of ['x', '%%%', Buffer.from('["tokens","abc"]').toString('base64url')]) {
      const call = listBoards(main, admin, { ...everything, cursor });
      expect(await refusal(call), cursor).toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it('shows a bound token its own board, and every other as if it were not there', async () => {
    const [own, other] = [await makeBoard(world), await makeBoard(world)];
    const bound = world.agent('ada', { boardId: own.id });
    expect((await listBoards(main, bound, everything)).items.map(({ id }) => id)).toEqual([own.id]);
    const hidden = await refusal(getBoard(main, bound, { board: other.id }));
    const missing = await refusal(getBoard(main, bound, { board: 'no-such-board' }));
    expect([hidden.code, missing.code]).toEqual(['not_found', 'not_found']);
    expect(hidden.message.replace(other.id, '?')).toBe(missing.message.replace('no-such-board', '?'));
    expect(await refusal(updateBoard(main, bound, { board: other.slug, name: 'x' }))).toMatchObject({
      code: 'not_found',
    });
    expect(await look(world, other)).toEqual(other);
  });
});

describe('counting cards', () => {
  it('counts each state as a claim would see it, by column and for the board', async () => {
    const board = await makeBoard(world);
    const queue = await queueOf(main, board);
    const now = world.clock.now();
    await seedCards(world, queue.column, 3);
    await seedCards(world, queue.column, 2, () => ({ scheduled_at: now + 3_600_000 }));
    await seedCards(world, queue.column, 1, () => ({ not_before: world.clock.now() + 1_000 }));
    await seedCards(world, queue.column, 1, () => ({ draft: true }));
    await seedCards(world, await engineColumn(main, board, 'Triage'), 4);
    await seedCards(world, queue.done, 2);
    await mustClaim(main, world.agent('ada'), queue);
    world.clock.advance(1_000);

    const found = await look(world, board);
    expect(columnNamed(found, 'Ready').counts).toMatchObject({ ready: 3, leased: 1, waiting: 3, idle: 0 });
    expect(found.counts).toEqual({
      idle: 4,
      waiting: 3,
      ready: 3,
      leased: 1,
      blocked: 0,
      done: 2,
      dead: 0,
      archived: 0,
    });
    expect(found).toMatchObject({ capped: false, events_cursor: expect.any(String) });
  });

  it('stops at a thousand per state and says so, without losing the states behind', async () => {
    const board = await makeBoard(world);
    const todo = await engineColumn(main, board, 'To do');
    await seedCards(world, todo, 1_001);
    await seedCards(world, todo, 1, () => ({ hold: true }));
    await seedCards(world, { ...todo, role: 'done' }, 2);
    const found = await look(world, board);
    expect(found).toMatchObject({ capped: true, counts: { idle: 1_000, done: 2 } });
    expect(columnNamed(found, 'To do')).toMatchObject({ capped: true });
    expect(columnNamed(found, 'Ready')).toMatchObject({ capped: false });
  });
});
