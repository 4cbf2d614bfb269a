import { beforeAll, describe, expect, it } from 'vitest';
import { linkCounts } from '../../shared/links/counts.ts';
import { readJob } from '../../shared/jobs.ts';
import { ImportBoardBody } from '../../shared/schemas/transfer.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { createCards } from '../../shared/verbs/create-cards.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { exportBoard } from '../../shared/verbs/export-board.ts';
import { importBoard } from '../../shared/verbs/import-board.ts';
import { listComments } from '../../shared/verbs/list-comments.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { importedId } from '../../shared/transfer/imported-id.ts';
import type { BoardDetail } from '../../shared/views/board.ts';
import { columnNamed, look as lookAtBoard, makeBoard, refusal, repeatable } from '../boards/support/board.ts';
import { jobOf, look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { childOf, finish, link } from '../links/support/links.ts';
import { complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { everyItem, exportAll, importRows, statuses, type Row } from './support/transfer.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');

/** A board with three cards in its queue, one of which waits for the first, and its rows. */
let desk: Desk;
let rows: Row[];
let cards: { readonly first: string; readonly second: string; readonly child: string };

beforeAll(async () => {
  desk = await makeDesk(world);
  const first = await made(world, desk, { title: 'First' });
  const second = await made(world, desk, { title: 'Second', dedupe_key: 'k-1' });
  const child = await childOf(world, desk, [first], { title: 'Child' });
  await createComment(main, admin, { card: second.id, body: 'Look here' }, null);
  // Two of its columns are enough.
  const others = desk.board.columns.filter(({ name }) => name !== 'Ready' && name !== 'Done');
  const left = new Set<unknown>(others.map(({ id }) => id));
  const all = await exportAll(main, admin, desk.board);
  rows = all.filter(({ type, id, column_id }) => type === 'card' || !(left.has(id) || left.has(column_id)));
  cards = { first: first.id, second: second.id, child: child.id };
});

const ofType = (...types: string[]): Row[] => rows.filter(({ type }) => types.includes(type));
const rowOf = (id: string): Row => {
  const row = rows.find((one) => one['id'] === id);
  if (row === undefined) throw new Error(`No row is of ${id}`);
  return row;
};
const empty = async (): Promise<BoardDetail> => makeBoard(world, { template: 'empty' });
const idOn = (board: BoardDetail, id: string): string => importedId('crd', board.id, id);
/** A board with the columns of the rows, and no card. */
const withColumns = async (): Promise<BoardDetail> => {
  const board = await empty();
  await importRows(world, board, ofType('board', 'column', 'contract'));
  return board;
};

describe('a row that cannot be taken', () => {
  const bad = (): [string, unknown, number, string][] => [
    ['of no object', 7, 422, ''],
    ['of no type that there is', { type: 'wish' }, 422, '/type'],
    ['with a field of its own', { ...rowOf(cards.first), urgent: true }, 422, '/urgent'],
    ['with a value out of bounds', { ...rowOf(cards.first), priority: 99 }, 422, '/priority'],
    ['without its id', { ...rowOf(cards.first), id: 'crd_1' }, 422, '/id'],
    [
      'of a column that is not here',
      { ...rowOf(cards.first), column_id: `col_${'0'.repeat(26)}` },
      404,
      'column',
    ],
    [
      'under a card that is not here',
      { ...ofType('comment')[0], card_id: `crd_${'0'.repeat(26)}` },
      404,
      'card',
    ],
    ['of a contract that is none', { ...ofType('contract')[0], contract: { shards: -1 } }, 422, '/shards'],
    ['that could not be read', { type: 'unreadable', id: cards.first }, 409, 'could not be read'],
  ];

  it('is named by its place, makes nothing, and stops no other', async () => {
    const board = await empty();
    await importRows(world, board, ofType('board', 'column'));
    const wrong = bad();
    const answers = await importRows(world, board, [...wrong.map(([, row]) => row), rowOf(cards.second)]);
    for (const [at, [what, , status, said]] of wrong.entries()) {
      expect([what, answers[at]]).toEqual([what, expect.objectContaining({ index: at, status })]);
      expect([what, JSON.stringify(answers[at])]).toEqual([what, expect.stringContaining(said)]);
    }
    expect(answers.at(-1)).toMatchObject({ status: 201, id: idOn(board, cards.second) });
    expect(await readJob(main, idOn(board, cards.first))).toBeUndefined();
  });

  it('of too many links stops the whole call, which then has done nothing', async () => {
    const board = await withColumns();
    const parents = Array.from({ length: 400 }, (_, at) => `crd_${String(at).padStart(26, '0')}`);
    const links = Array.from({ length: 3 }, () => ({ type: 'links', card_id: cards.child, parents }));
    const body = ImportBoardBody.parse({ rows: [rowOf(cards.first), ...links] });
    const refused = await refusal(importBoard(main, admin, { board: board.id, ...body }, null));
    expect(refused).toMatchObject({ code: 'validation_failed', extras: { errors: [{ path: '/rows' }] } });
    expect(await readJob(main, idOn(board, cards.first))).toBeUndefined();
  });

  it('is the whole import on an archived board, which can still be exported', async () => {
    const board = await withColumns();
    await archiveBoard(main, admin, { board: board.id });
    const call = importBoard(main, admin, { board: board.id, rows: [rowOf(cards.first)] }, null);
    expect(await refusal(call)).toMatchObject({ code: 'conflict' });
    expect((await exportAll(main, admin, board)).length).toBeGreaterThan(1);
  });

  it('is the whole of a board that the token may not know of', async () => {
    const stranger = world.person('stranger', { boardId: desk.board.id, scopes: ['admin'] });
    const board = (await empty()).id;
    const calls = [
      importBoard(main, stranger, { board, rows }, null),
      exportBoard(main, stranger, { board, limit: 1 }),
    ];
    for (const call of calls) expect(await refusal(call)).toMatchObject({ code: 'not_found' });
  });
});

describe('the same rows', () => {
  it('twice in one call make one thing', async () => {
    const board = await withColumns();
    const row = rowOf(cards.first);
    const answers = await importRows(world, board, [row, row]);
    expect(statuses(answers).toSorted((one, other) => one - other)).toEqual([200, 201]);
  });

  it('under the same key are answered as they were, and another body is refused', async () => {
    const board = await withColumns();
    const send = async (body: string) =>
      importBoard(main, admin, { board: board.id, rows: ofType('card') }, repeatable('key', body, board.id));
    const first = await send('body');
    const second = await send('body');
    expect(second).toEqual({ ...first, replayed: true });
    expect(first.value).toMatchObject({ created: 3, existing: 0, refused: 0 });
    expect(await refusal(send('other'))).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('from two at once make each thing once', async () => {
    const board = await empty();
    const both = await Promise.all(
      [main, world.engine()].map(async (engine) => importRows(world, board, rows, { engine })),
    );
    expect(both.flat().filter(({ status }) => status >= 300)).toEqual([]);
    const { columns } = await lookAtBoard(world, board);
    expect(columns.map(({ name }) => name)).toEqual(['Ready', 'Done']);
    expect((await exportAll(main, admin, board)).filter(({ type }) => type === 'card')).toHaveLength(3);
  });

  it('leave alone what was changed since', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    const card = idOn(board, cards.first);
    await patchCard(main, admin, { card, title: 'Renamed' });
    expect(statuses(await importRows(world, board, rows))).toEqual([200]);
    expect(await look(world, { id: card })).toMatchObject({ title: 'Renamed' });
  });

  it('do not bring back what was deleted from the copy', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    await deleteCard(main, admin, { card: idOn(board, cards.first) });
    const [answer] = await importRows(world, board, [rowOf(cards.first)]);
    expect(answer).toMatchObject({ status: 409, error: { code: 'conflict' } });
  });
});

describe('an import onto the board that it came from', () => {
  it('changes nothing, and brings back under a new id what was deleted there', async () => {
    const own = await makeDesk(world);
    const lost = await made(world, own, { title: 'Lost' });
    await made(world, own, { title: 'There' });
    const exported = await exportAll(main, admin, own.board);
    const before = await everyItem(world);
    expect(statuses(await importRows(world, own.board, exported))).toEqual([200]);
    expect(await everyItem(world)).toEqual(before);

    await deleteCard(main, admin, { card: lost.id });
    const answers = await importRows(world, own.board, exported);
    const again = { id: importedId('crd', own.board.id, lost.id) };
    expect(answers.filter(({ status }) => status === 201)).toMatchObject([again]);
    // Not its old number, which a card of the board has had.
    expect(await look(world, again)).toMatchObject({ title: 'Lost', key: `${own.board.key_prefix}-3` });
  });
});

describe('an import onto a board with cards of its own', () => {
  it('uses its columns by name, leaves contracts and settings, and numbers the cards anew', async () => {
    const other = await makeDesk(world, { max_attempts: 9 });
    await made(world, other);
    const answers = await importRows(world, other.board, rows);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const after = await lookAtBoard(world, other.board);
    expect(after.columns.map(({ id }) => id)).toEqual(other.board.columns.map(({ id }) => id));
    expect(columnNamed(after, 'Ready').contract.max_attempts).toBe(9);
    const card = await look(world, { id: idOn(other.board, cards.first) });
    expect(card).toMatchObject({ column_id: other.ready, key: `${other.board.key_prefix}-2` });
  });

  it('refuses the card whose dedupe key an open card has', async () => {
    const other = await makeDesk(world);
    const there = await made(world, other, { dedupe_key: 'k-1' });
    const answers = await importRows(world, other.board, rows);
    const refused = answers.filter(({ status, type }) => status >= 300 && type === 'card');
    expect(refused).toMatchObject([{ status: 409, error: { code: 'conflict', card_id: there.id } }]);
  });
});

describe('links', () => {
  it('are refused when they name what is not here, and the card goes on waiting', async () => {
    const board = await withColumns();
    await importRows(world, board, [rowOf(cards.child)]);
    const [answer] = await importRows(world, board, ofType('links'));
    expect(answer).toMatchObject({ status: 404, error: { detail: expect.stringContaining(cards.first) } });
    expect(await look(world, { id: idOn(board, cards.child) })).toMatchObject({ waiting_on: 'parents' });

    await importRows(world, board, [rowOf(cards.first)]);
    expect(statuses(await importRows(world, board, ofType('links')))).toEqual([201]);
    const job = await jobOf(world, { id: idOn(board, cards.child) });
    expect((await linkCounts(main, job)).openParents).toEqual([idOn(board, cards.first)]);
  });

  it('that come after their parent was done let the card go', async () => {
    const board = await withColumns();
    await importRows(world, board, ofType('card'));
    const copy = { ...desk, board, done: columnNamed(await lookAtBoard(world, board), 'Done').id };
    await finish(world, copy, { id: idOn(board, cards.first) });
    expect(await look(world, { id: idOn(board, cards.child) })).toMatchObject({ state: 'waiting' });
    await importRows(world, board, ofType('links'));
    expect(await look(world, { id: idOn(board, cards.child) })).toMatchObject({ state: 'ready' });
  });

  it('that would close a cycle are refused', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    const back = { type: 'links', card_id: cards.first, parents: [cards.child] };
    const self = { type: 'links', card_id: cards.second, parents: [cards.second] };
    const answers = await importRows(world, board, [back, self]);
    expect(answers.map((row) => ('error' in row ? row.error.code : row))).toEqual(['conflict', 'conflict']);
    expect(await look(world, { id: idOn(board, cards.first) })).toMatchObject({ state: 'ready' });
  });

  it('to what a person linked there since stay', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    const [second, child] = [cards.second, cards.child].map((id) => ({ id: idOn(board, id) }));
    if (second === undefined || child === undefined) throw new Error('No cards');
    await link(world, second, child);
    await importRows(world, board, rows);
    expect(await look(world, child)).toMatchObject({ counts: { parents_open: 2 } });
  });
});

describe('an imported board', () => {
  it('makes one event for each card and column, and none for what lies under them', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    for (const id of Object.values(cards)) {
      const [before, after] = [await jobOf(world, { id }), await jobOf(world, { id: idOn(board, id) })];
      expect(after.ev).toEqual([
        {
          type: 'card.created',
          by: { type: 'person', id: 'admin' },
          reason: expect.stringMatching(/^imported/),
        },
      ]);
      expect(after.sequence).toBe(before.sequence + 1);
    }
    const { sequence } = (await everyItem(world)).get(`${board.id} BOARD`) as { sequence: number };
    expect(sequence).toBe(ofType('column', 'contract').length);
  });

  it('is worked on like any other, and what is said there comes behind what was', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    const after = await lookAtBoard(world, board);
    const claimed = await mustClaim(main, ada, {
      ...desk.queue,
      board: board.id,
      column: { ...desk.queue.column, column_id: columnNamed(after, 'Ready').id },
    });
    expect(claimed).toMatchObject({ card: { title: 'First' }, fence: 1, attempt: 1 });
    await complete(main, ada, claimed);
    expect(await look(world, { id: idOn(board, cards.child) })).toMatchObject({ state: 'ready' });
    const card = idOn(board, cards.second);
    await createComment(main, admin, { card, body: 'And here' }, null);
    const { items } = await listComments(main, admin, { card, limit: 10 });
    expect(items.map(({ body }) => body)).toEqual(['Look here', 'And here']);
  });

  it('takes what it remembered of the import with it when it is deleted', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    await deleteBoard(main, admin, { board: board.id });
    for (let round = 0; round < 4; round += 1) {
      world.clock.advance(GOING_SETTLE_MS + 1);
      await reap(main, world.clock.now() + 60_000);
    }
    const left = [...(await everyItem(world)).keys()].filter((key) => key.startsWith(`${board.id} IMPORT#`));
    expect(left).toEqual([]);
  });
});

describe('what is newer than the card', () => {
  it('is refused: a card that is there is not brought up to date', async () => {
    const board = await empty();
    await importRows(world, board, rows);
    const [comment] = ofType('comment');
    const later = { ...comment, sequence: 99 };
    const run = { type: 'run', card_id: cards.first, number: 5, outcome: 'failed' };
    const answers = await importRows(world, board, [later, run]);
    expect(answers).toMatchObject([{ status: 409 }, { status: 409 }]);
  });
});

describe('capacity', () => {
  it('is bounded by the page, whatever the size of the board', async () => {
    const big = await makeDesk(world);
    const title = (_: unknown, at: number) => ({ title: `Card ${at}`, column_id: big.ready });
    const many = { board: big.board.id, cards: Array.from({ length: 100 }, title) };
    await createCards(main, admin, many, null);
    world.clock.advance(1_000);
    const head = await exportBoard(main, admin, { board: big.board.id, limit: 9 });
    expect(head.items.map(({ type }) => type)).not.toContain('card');
    world.meter.reset();
    const next = { limit: 100, cursor: head.next_cursor ?? undefined };
    const page = await exportBoard(main, admin, { board: big.board.id, ...next });
    expect(page.items.map(({ type }) => type)).toEqual(Array.from({ length: 100 }, () => 'card'));
    // Three items of each card, and a look for what lies under it: attachments, comments and runs.
    expect(world.meter.readUnits).toBeLessThan(800);
    expect(world.meter.writeUnits).toBe(0);

    const board = await empty();
    await importRows(world, board, head.items);
    world.meter.reset();
    const sent: unknown[] = JSON.parse(JSON.stringify(page.items));
    expect(statuses(await importRows(world, board, sent))).toEqual([201]);
    // What creating them costs, and a reading of what is there already.
    expect(world.meter.writeUnits).toBeLessThan(100 * 9);
    expect(world.meter.readUnits).toBeLessThan(100 * 3);
  });
});
