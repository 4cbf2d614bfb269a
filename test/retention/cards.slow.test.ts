import { describe, expect, it } from 'vitest';
import { UpdateBoardBody } from '../../shared/schemas/boards.ts';
import { edgePuts } from '../../shared/links/edges.ts';
import { listGoing } from '../../shared/going-away/register.ts';
import { listRetention } from '../../shared/retention/register.ts';
import { DAY_MS } from '../../shared/units.ts';
import { tendRetention } from '../../shared/retention/tend-retention.ts';
import { cardKey } from '../../shared/store/keys.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { restoreBoard } from '../../shared/verbs/restore-board.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { createFilesWorld, download } from '../attachments/support/files.ts';
import { refusal } from '../boards/support/board.ts';
import { look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { dyingEngine } from '../links/support/dying.ts';
import { childOf, finish } from '../links/support/links.ts';
import { claimFrom, complete, fail, mustClaim, release, renew } from '../support/worker.ts';

const files = await createFilesWorld();
const { world, attachText, list } = files;
const { main, admin, clock } = world;
const ada = world.agent('ada');

const keep = async ({ board }: Desk, settings: object) =>
  updateBoard(main, admin, { board: board.id, ...settings });
const nightly = async () => reap(world.engine(), clock.now() + 50_000);
const archived = async (card: { id: string }) => archiveCard(main, admin, { card: card.id });
const under = async (card: { id: string }): Promise<string[]> => {
  const { items } = await main.store.query({ pk: { name: 'pk', value: card.id }, consistent: true });
  return items.map(({ sk }) => String(sk));
};

describe('a board that keeps archived cards for so many days', () => {
  it('deletes those archived longer ago with all that was theirs, files included, and no other', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { archived_retention_days: 7 });
    const old = await made(world, desk);
    await attachText(old, 'a.txt', 'x');
    await createComment(main, admin, { card: old.id, body: 'look' }, null);
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
    await archived(old);
    clock.advance(6 * DAY_MS);
    const young = await archived(await made(world, desk));
    const open = await made(world, desk);
    expect((await nightly()).removed).toMatchObject({ cards: 0 });

    clock.advance(DAY_MS + 1);
    const [file] = await list(old);
    expect((await download(file?.download_url ?? null)).status).toBe(200);
    expect((await nightly()).removed).toEqual({ cards: 1, runs: 0, events: 0 });

    expect(await refusal(look(world, old))).toMatchObject({ code: 'not_found' });
    expect(await under(old)).toEqual(['JOB']);
    expect(await main.store.get({ pk: old.id, sk: 'JOB' })).toMatchObject({
      state: 'deleted',
      ev: [{ type: 'card.deleted', by: { type: 'system', id: 'leaseboard' } }],
    });
    expect((await download(file?.download_url ?? null)).status).toBe(404);
    expect(await look(world, young)).toMatchObject({ state: 'archived' });
    expect(await look(world, open)).toMatchObject({ state: 'ready' });
  });

  it('keeps one that was put away unfinished while another waits for it, and lets a finished one go', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { archived_retention_days: 1 });
    const [unfinished, finished] = [await made(world, desk), await made(world, desk)];
    const waiting = await childOf(world, desk, [unfinished], { priority: 9 });
    const free = await childOf(world, desk, [finished], { priority: 9 });
    await finish(world, desk, finished);
    await archived(unfinished);
    await archived(finished);
    clock.advance(2 * DAY_MS);
    expect((await nightly()).removed).toMatchObject({ cards: 1 });
    expect(await look(world, unfinished)).toMatchObject({ state: 'archived' });
    expect(await look(world, waiting)).toMatchObject({ waiting_detail: [unfinished.id] });
    expect(await look(world, free)).toMatchObject({ state: 'ready', counts: { parents_open: 0 } });
  });

  it('counts from the last time that it was archived', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { archived_retention_days: 1 });
    const card = await archived(await made(world, desk));
    clock.advance(DAY_MS - 10);
    await unarchiveCard(main, admin, { card: card.id });
    await archived(card);
    clock.advance(20);
    expect((await nightly()).removed).toMatchObject({ cards: 0 });
    expect(await look(world, card)).toMatchObject({ state: 'archived' });
  });

  it('goes on in the next minute with what one run had no time for', async () => {
    const desk = await makeDesk(world);
    const cards: { id: string }[] = [];
    for (let at = 0; at < 60; at += 1) cards.push(await archived(await made(world, desk)));
    await keep(desk, { archived_retention_days: 1 });
    clock.advance(2 * DAY_MS);
    let ticks = clock.now();
    const hurried = { ...main, deps: { ...main.deps, now: () => (ticks += 1) } };
    const left = async () =>
      (await main.store.batchGet(cards.map(({ id }) => cardKey(id)))).filter((item) => item !== undefined)
        .length;
    await tendRetention(hurried, clock.now() + 120, { cards: 0, runs: 0, events: 0 });
    expect(await left()).toBeGreaterThan(0);
    expect(await left()).toBeLessThan(60);
    clock.advance(60_000);
    await nightly();
    expect(await left()).toBe(0);
    clock.advance(60_000);
    await nightly();
    expect(await listGoing(main)).toEqual([]);
    for (const card of cards) expect(await under(card)).toEqual(['JOB']);
    // Seen to for today.
    clock.advance(60_000);
    await archived(await made(world, desk));
    expect((await listRetention(main)).find(({ sk }) => sk === desk.board.id)?.due_at).toBeGreaterThan(
      clock.now(),
    );
  });

  it('leaves all as it is while the board is archived', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { archived_retention_days: 1 });
    const card = await archived(await made(world, desk));
    await archiveBoard(main, admin, { board: desk.board.id });
    clock.advance(3 * DAY_MS);
    await nightly();
    expect(await under(card)).toContain('CARD');
    await restoreBoard(main, admin, { board: desk.board.id });
    clock.advance(DAY_MS);
    await nightly();
    expect(await under(card)).toEqual(['JOB']);
  });
});

describe('a card whose deletion was cut short', () => {
  it('is removed to the last file by the reaper', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const child = await childOf(world, desk, [card]);
    await attachText(card, 'a.txt', 'x');
    await createComment(main, admin, { card: card.id, body: 'look' }, null);
    const [file] = await list(card);
    await deleteCard(dyingEngine(world, 1), admin, { card: card.id }).catch(() => undefined);
    expect(await refusal(look(world, card))).toMatchObject({ code: 'not_found' });
    expect((await under(card)).length).toBeGreaterThan(1);

    await nightly();

    expect(await under(card)).toEqual(['JOB']);
    expect((await download(file?.download_url ?? null)).status).toBe(404);
    // What another request that had read the card before writes under it now goes as well.
    await main.store.write(edgePuts(desk.board.id, { parent: card.id, child: child.id, sub: false })[0]);
    clock.advance(60_000);
    await nightly();
    expect(await under(card)).toEqual(['JOB']);
    expect(await listGoing(main)).toEqual([]);
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [card.id] });
  });
});

describe('a board that keeps runs for so many days', () => {
  it('removes older ones, but those that a card still needs, on every card and only on its own', async () => {
    const [desk, other] = [await makeDesk(world, { max_attempts: 9 }), await makeDesk(world)];
    await keep(desk, { run_retention_days: 30 });
    const tried = async (of: Desk) => {
      const held = await mustClaim(main, ada, of.queue);
      await fail(main, ada, held, { kind: 'rate_limited', retry_after_seconds: 1 });
      clock.advance(2_000);
    };
    const card = await made(world, desk);
    const kept = await made(world, other);
    for (let run = 0; run < 12; run += 1) await tried(desk);
    for (let run = 0; run < 2; run += 1) await tried(other);
    clock.advance(31 * DAY_MS);
    const young = await mustClaim(main, ada, desk.queue);

    expect((await nightly()).removed).toEqual({ cards: 0, events: 0, runs: 12 });

    const runs = (await under(card)).filter((sk) => sk.startsWith('RUN#'));
    expect(runs).toEqual([]);
    expect((await under(kept)).filter((sk) => sk.startsWith('RUN#')).length).toBe(2);
    expect((await complete(main, ada, young, { summary: 'at last' })).run).toMatchObject({ number: 13 });
  });

  it('hands a result on for ever, answers a repeated completion, and lets a stale worker know', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { run_retention_days: 1 });
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    const first = await mustClaim(main, ada, desk.queue);
    await fail(main, ada, first, { kind: 'rate_limited', retry_after_seconds: 1 });
    clock.advance(2_000);
    const second = await mustClaim(main, ada, desk.queue);
    await complete(main, ada, second, { summary: 'word for word', metadata: { sources: 3 } });
    clock.advance(400 * DAY_MS);

    expect((await nightly()).removed).toMatchObject({ runs: 1 });

    const claim = await claimFrom(main, ada, desk.queue, { with_context: true });
    expect(claim?.card.id).toBe(child.id);
    const again = await complete(main, ada, second, { summary: 'word for word' });
    expect(again.run).toMatchObject({ outcome: 'completed', summary: 'word for word' });
    expect(await refusal(renew(main, ada, first))).toMatchObject({ code: 'lease_lost' });
    expect((await look(world, parent)).summary).toBe('word for word');
  });

  it('keeps the run whose result the card shows, though others came after it', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { run_retention_days: 1 });
    const card = await made(world, desk);
    await complete(main, ada, await mustClaim(main, ada, desk.queue), { summary: 'still shown' });
    await reopenCard(main, admin, { card: card.id });
    for (let run = 2; run < 4; run += 1) await release(main, ada, await mustClaim(main, ada, desk.queue));
    clock.advance(3 * DAY_MS);
    expect((await nightly()).removed).toMatchObject({ runs: 1 });
    expect((await under(card)).filter((sk) => sk.startsWith('RUN#'))).toEqual([
      'RUN#000000001',
      'RUN#000000003',
    ]);
    expect((await look(world, card)).summary).toBe('still shown');
  });

  it('keeps the checkpoint that a worker left which went quiet', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { run_retention_days: 1 });
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    await renew(main, ada, held, { checkpoint: 'half of it is in branch x' });
    clock.advance(DAY_MS);
    for (let run = 2; run < 4; run += 1)
      await release(main, ada, await mustClaim(main, world.agent('bob'), desk.queue));
    clock.advance(3 * DAY_MS);
    expect((await nightly()).removed).toMatchObject({ runs: 1 });
    expect((await under(card)).filter((sk) => sk.startsWith('RUN#'))).toEqual([
      'RUN#000000001',
      'RUN#000000003',
    ]);
    expect(await look(world, card)).toMatchObject({
      abandoned_by: { checkpoint: 'half of it is in branch x' },
    });
  });
});

describe('how long a board keeps things', () => {
  it('is for ever, but for events, unless it says otherwise, and then is seen to by the reaper', async () => {
    const desk = await makeDesk(world);
    const defaults = {
      event_retention_days: null,
      run_retention_days: null,
      archived_retention_days: null,
    };
    expect(await getBoard(main, admin, { board: desk.board.id })).toMatchObject(defaults);
    const registered = async () => (await listRetention(main)).some(({ sk }) => sk === desk.board.id);
    expect(await registered()).toBe(false);
    const set = { event_retention_days: 7, run_retention_days: 1, archived_retention_days: 3_650 };
    expect(await keep(desk, set)).toMatchObject(set);
    expect(await registered()).toBe(true);
    expect(await keep(desk, { run_retention_days: null })).toMatchObject({
      ...set,
      run_retention_days: null,
    });
    expect(await registered()).toBe(true);
    expect(await keep(desk, defaults)).toMatchObject(defaults);
    expect(await registered()).toBe(false);
  });

  it.each([
    ['event_retention_days', [6, 0, -1, 3_651]],
    ['run_retention_days', [0, -1, 1.5, 3_651, 1e300]],
    ['archived_retention_days', [0, -30, 0.5, 3_651, '7', true]],
  ])('takes no %s out of bounds: none of them may delete everything', (name, wrong) => {
    for (const value of wrong)
      expect(UpdateBoardBody.safeParse({ [name]: value }).success, String(value)).toBe(false);
    expect(UpdateBoardBody.safeParse({ [name]: 7 }).success).toBe(true);
  });

  it('costs a claim, a heartbeat and a completion nothing', async () => {
    const units = async (settings: object): Promise<number[]> => {
      const desk = await makeDesk(world);
      await keep(desk, settings);
      await made(world, desk);
      const found: number[] = [];
      const measured = async <T>(step: () => Promise<T>): Promise<T> => {
        world.meter.reset();
        const result = await step();
        found.push(world.meter.readUnits, world.meter.writeUnits);
        return result;
      };
      const held = await measured(async () => mustClaim(main, ada, desk.queue));
      await measured(async () => renew(main, ada, held));
      await measured(async () => complete(main, ada, held));
      return found;
    };
    const all = { event_retention_days: 7, run_retention_days: 1, archived_retention_days: 1 };
    expect(await units(all)).toEqual(await units({}));
  });

  it('forgets nothing that decides: a card broken down months ago is not broken down again', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { event_retention_days: 7, run_retention_days: 1, archived_retention_days: 1 });
    const root = await made(world, desk, { priority: 9 });
    const graph = { cards: [{ ref: 'part', title: 'Part' }] };
    const { value } = await decomposeCard(main, admin, { card: root.id, ...graph }, null);
    await finish(world, desk, { id: value.cards['part'] ?? '' });
    await archived({ id: value.cards['part'] ?? '' });
    clock.advance(90 * DAY_MS);
    expect((await nightly()).removed).toMatchObject({ cards: 1 });
    expect(await look(world, root)).toMatchObject({ state: 'ready', container: true });
    const again = await refusal(decomposeCard(main, admin, { card: root.id, ...graph }, null));
    expect(again).toMatchObject({ code: 'conflict' });
  });

  it('is forgotten with the board', async () => {
    const desk = await makeDesk(world);
    await keep(desk, { run_retention_days: 1 });
    await deleteBoard(main, admin, { board: desk.board.id });
    await nightly();
    expect((await listRetention(main)).some(({ sk }) => sk === desk.board.id)).toBe(false);
  });
});
