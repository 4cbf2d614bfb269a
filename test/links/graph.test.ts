import { describe, expect, it } from 'vitest';
import { isProblem } from '../../shared/errors.ts';
import { fillPage } from '../../shared/cards/list-page.ts';
import { finishGraph } from '../../shared/graphs/finish.ts';
import { commitWrite, listGraphs, readGraph } from '../../shared/graphs/register.ts';
import { readJob } from '../../shared/jobs.ts';
import { CreateGraphBody } from '../../shared/schemas/graphs.ts';
import { GRAPHS_PK } from '../../shared/store/keys.ts';
import { createGraph } from '../../shared/verbs/create-graph.ts';
import { createSwarm } from '../../shared/verbs/create-swarm.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { listLinks } from '../../shared/verbs/list-links.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { refusal, repeatable } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { claimFrom, complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { dyingEngine } from './support/dying.ts';
import { finish, work } from './support/links.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const LONG_MS = 240_000;

const graph = async (desk: Desk, body: object, { engine = main, key = '' } = {}) => {
  clock.advance(1);
  const repeat = key === '' ? null : repeatable(key, JSON.stringify(body), 'POST graphs');
  return createGraph(engine, admin, { ...CreateGraphBody.parse(body), board: desk.board.id }, repeat);
};
const card = (ref: string, more: object = {}) => ({ ref, title: `Card ${ref}`, ...more });
const chain = (desk: Desk) => ({
  cards: ['scout', 'edit', 'write'].map((ref) => card(ref, { column_id: desk.ready })),
  links: [
    { parent: 'scout', child: 'edit' },
    { parent: 'edit', child: 'write' },
  ],
});

/** `count` cards in the queue, the first `roots` of them parents of the others. */
const wide = (desk: Desk, count: number, roots: number) => ({
  cards: Array.from({ length: count }, (_, at) => card(`c${at}`, { column_id: desk.ready })),
  links: Array.from({ length: (count - roots) * 2 }, (_, at) => ({
    parent: `c${at % roots}`,
    child: `c${roots + Math.floor(at / 2)}`,
  })),
});

const everyCard = async (desk: Desk): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCards(main, admin, { board: desk.board.id, limit: 100, cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
};

/** Everything that the table holds of a board's cards, whether anybody may see it or not. */
const stored = async (desk: Desk): Promise<number> => {
  const { items } = await main.store.query({
    index: 'by_board',
    pk: { name: 'board', value: desk.board.id },
  });
  return items.length;
};
const unfinished = async () =>
  (await main.store.query({ pk: { name: 'pk', value: GRAPHS_PK }, consistent: true })).items.length;

describe('a graph', () => {
  it('is made in one call: its first cards are offered, the others wait for them', async () => {
    const desk = await makeDesk(world);
    const { value, created } = await graph(desk, chain(desk));
    expect([Object.keys(value.cards), created]).toEqual([['scout', 'edit', 'write'], true]);
    const [scout = '', edit = '', write = ''] = Object.values(value.cards);
    expect(await look(world, { id: edit })).toMatchObject({
      state: 'waiting',
      waiting_on: 'parents',
      waiting_detail: [scout],
      title: 'Card edit',
      counts: { parents_open: 1, children: 1 },
    });
    expect(await lastEvents(world, { id: write })).toEqual(['card.created']);
    expect((await jobOf(world, { id: write })).sequence).toBe(1);
    expect([await work(main, ada, desk), await work(main, ada, desk), await work(main, ada, desk)]).toEqual([
      scout,
      edit,
      write,
    ]);
    expect(await unfinished()).toBe(0);
  });

  it(
    'of five hundred cards and a thousand links is seen whole or not at all, by readers and by claimers',
    async () => {
      const desk = await makeDesk(world);
      const before = await made(world, desk, { column_id: desk.todo });
      let over = false;
      const pages = new Set<number>();
      const halves: string[] = [];
      const early: string[] = [];
      // One page of the newest cards: all of them the graph's, or none.
      const list = async () => {
        while (!over) {
          const { items } = await listCards(main, admin, { board: desk.board.id, limit: 100 });
          pages.add(items.filter(({ id }) => id !== before.id).length);
        }
      };
      // Who finds one of its cards finds every one.
      const read = async () => {
        while (!over) {
          const { items } = await main.store.query({
            pk: { name: 'pk', value: GRAPHS_PK },
            consistent: true,
          });
          const found = items[0] === undefined ? undefined : await readGraph(main, String(items[0]['sk']));
          const [first, ...others] = Object.values(found?.cards ?? {});
          if (first === undefined || (await readJob(main, first)) === undefined) continue;
          const jobs = await Promise.all(others.map(async (id) => readJob(main, id)));
          halves.push(...others.filter((_, at) => jobs[at] === undefined));
        }
      };
      const poll = async () => {
        const engine = world.engine();
        while (!over) {
          const held = await claimFrom(engine, ada, desk.queue);
          if (held !== null) early.push(held.card.id);
        }
      };
      const watching = [list(), read(), poll()];
      const { value } = await graph(desk, wide(desk, 500, 4));
      over = true;
      await Promise.all(watching);
      expect([...pages].filter((size) => size !== 0 && size !== 100)).toEqual([]);
      expect(halves).toEqual([]);
      expect((await everyCard(desk)).length).toBe(501);
      const roots = [0, 1, 2, 3].map((at) => value.cards[`c${at}`]);
      for (const id of early) expect(roots).toContain(id);
      expect((await getCard(main, admin, { card: before.id })).counts.children).toBe(0);
      expect(await look(world, { id: value.cards['c499'] ?? '' })).toMatchObject({
        counts: { parents_open: 2 },
      });
      expect(await unfinished()).toBe(0);
    },
    LONG_MS,
  );

  it('that is committed while a page is read is on that page whole', async () => {
    const desk = await makeDesk(world);
    await expect(graph(desk, chain(desk), { engine: dyingEngine(world, 3) })).rejects.toThrow();
    const [id = ''] = await listGraphs(main);
    const staged = await readGraph(main, id);
    if (staged === undefined) throw new Error('The graph is gone');
    const cards = Object.values(staged.cards);
    let reads = 0;
    const entries = async function* () {
      reads += 1;
      if (reads === 1) {
        await main.store.write(commitWrite(id, clock.now(), false));
        await finishGraph(main, id, staged);
      }
      // What an index read early had of it.
      yield cards.slice(0, reads === 1 ? 1 : cards.length).map((pk) => ({ pk, position: pk }));
    };
    const page = await fillPage(main, { boardId: desk.board.id, archived: false }, 100, entries);
    expect(page.items.map((item) => item.id)).toEqual(cards);
  });

  it('that dies before its commit never was: nobody saw it, and the reaper takes it back', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await made(world, desk, { column_id: desk.todo });
    const { cards, links } = chain(desk);
    const joined = {
      cards,
      links: [...links, { parent: parent.id, child: 'scout' }, { parent: 'write', child: child.id }],
    };
    // Number, opening, staging of both kinds; the commit is lost.
    await expect(graph(desk, joined, { engine: dyingEngine(world, 4) })).rejects.toThrow();
    expect(await stored(desk)).toBe(5);
    expect((await everyCard(desk)).length).toBe(2);
    expect(await listLinks(main, admin, { card: child.id })).toEqual({ parents: [], children: [] });
    expect((await look(world, parent)).counts.children).toBe(0);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    await reap(main, clock.now() + 50_000);
    expect(await stored(desk)).toBe(5);
    clock.advance(900_000);
    await reap(main, clock.now() + 50_000);
    expect([await stored(desk), await unfinished()]).toEqual([2, 0]);
    const { items } = await main.store.query({ pk: { name: 'pk', value: child.id }, consistent: true });
    expect(items.map(({ sk }) => sk)).toEqual(['CARD', 'JOB']);
    expect((await graph(desk, joined)).created).toBe(true);
  });

  it.each(['a claim', 'the reaper', 'a reader'])(
    'that dies right after its commit is there, and %s puts it in its place',
    async (who) => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk, { column_id: desk.todo });
      await finish(world, desk, parent);
      const { cards, links } = chain(desk);
      const joined = { cards, links: [...links, { parent: parent.id, child: 'scout' }] };
      const { value } = await graph(desk, joined, { engine: dyingEngine(world, 5) });
      const [scout = ''] = Object.values(value.cards);
      expect((await everyCard(desk)).length).toBe(4);
      if (who === 'the reaper') await reap(main, clock.now() + 50_000);
      else if (who === 'a reader') expect((await look(world, { id: scout })).state).toBe('ready');
      else clock.advance(60_000);
      const held = await claimFrom(main, ada, desk.queue);
      expect(held?.card.id).toBe(scout);
      await reap(main, clock.now() + 50_000);
      expect(await unfinished()).toBe(0);
      expect((await listLinks(main, admin, { card: parent.id })).children.map(({ id }) => id)).toEqual([
        scout,
      ]);
      if (held !== null) await complete(main, ada, held);
      expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(value.cards['edit']);
    },
  );

  it('may join cards that are there: those it blocks wait from its commit on, those that block it are heard', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk, { column_id: desk.todo, tenant: 'red' });
    const child = await made(world, desk);
    const { cards, links } = chain(desk);
    const { value } = await graph(desk, {
      cards,
      links: [...links, { parent: parent.id, child: 'scout' }, { parent: 'write', child: child.id }],
    });
    expect(await look(world, child)).toMatchObject({ waiting_detail: [value.cards['write']] });
    expect(await lastEvents(world, child)).toEqual(['card.linked']);
    expect((await look(world, parent)).counts.children).toBe(1);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    await finish(world, desk, parent);
    const order = [value.cards['scout'], value.cards['edit'], value.cards['write'], child.id];
    for (const id of order) expect(await work(main, ada, desk)).toBe(id);
    expect((await look(world, { id: order[2] ?? '' })).tenant).toBe('red');
  });

  it('is refused whole for a card outside that somebody holds, a cycle, or a name that is nobody’s', async () => {
    const desk = await makeDesk(world);
    const child = await made(world, desk);
    const parent = await made(world, desk, { parents: [child.id] });
    await mustClaim(main, ada, desk.queue);
    const { cards, links } = chain(desk);
    const onto = (id: string) => graph(desk, { cards, links: [...links, { parent: 'write', child: id }] });
    expect(await refusal(onto(child.id))).toMatchObject({ code: 'conflict', extras: { card_id: child.id } });
    const cycle = graph(desk, { cards, links: [...links, { parent: 'write', child: 'scout' }] });
    expect(await refusal(cycle)).toMatchObject({ code: 'conflict' });
    const through = graph(desk, {
      cards,
      links: [...links, { parent: parent.id, child: 'scout' }, { parent: 'write', child: child.id }],
    });
    expect((await refusal(through)).extras['path']).toHaveLength(6);
    const unknown = graph(desk, { cards, links: [{ parent: 'skout', child: 'edit' }] });
    expect(await refusal(unknown)).toMatchObject({ extras: { errors: [{ path: '/links/0/parent' }] } });
    const twice = graph(desk, { cards: [...cards, card('edit')], links });
    expect(await refusal(twice)).toMatchObject({ extras: { errors: [{ path: '/cards/3/ref' }] } });
    expect([await stored(desk), await unfinished()]).toEqual([2, 0]);
  });

  it('has names that are names: none like an id, none that is an object’s prototype', () => {
    const named = (ref: string) => CreateGraphBody.safeParse({ cards: [{ ref, title: 'x' }] }).success;
    for (const ref of ['crd_1', '__proto__', '', 'a b', 'ä', 'x'.repeat(65)])
      expect(named(ref), ref).toBe(false);
    for (const ref of ['a', 'constructor', '__proto__1', 'x'.repeat(64)]) expect(named(ref), ref).toBe(true);
  });

  it('repeated with its key answers the same cards, and makes none', async () => {
    const desk = await makeDesk(world);
    const body = chain(desk);
    const first = await graph(desk, body, { key: 'once' });
    const second = await graph(desk, body, { key: 'once' });
    expect(second).toEqual({ ...first, replayed: true });
    expect(await stored(desk)).toBe(3);
    const other = graph(desk, { cards: body.cards }, { key: 'once' });
    expect((await refusal(other)).code).toBe('idempotency_key_reused');
  });

  it('asked for twice at once under one key is made once', async () => {
    const desk = await makeDesk(world);
    const body = chain(desk);
    const race = await Promise.allSettled([
      graph(desk, body, { key: 'both' }),
      graph(desk, body, { key: 'both', engine: world.engine() }),
    ]);
    const lost = race.filter((side) => side.status === 'rejected');
    for (const { reason } of lost) expect(isProblem(reason) && reason.code).toBe('throttled');
    await graph(desk, body, { key: 'both' });
    expect((await everyCard(desk)).length).toBe(3);
  });
});

describe('a swarm', () => {
  it('is a blackboard, workers that all begin, a verifier behind them and a synthesizer behind that', async () => {
    const desk = await makeDesk(world);
    const input = {
      goal: 'Find the leak\nin the boiler',
      workers: ['ada', 'bob', null],
      verifier: 'eve',
      synthesizer: null,
    };
    const { value } = await createSwarm(main, admin, { ...input, board: desk.board.id }, null);
    expect(Object.keys(value.cards)).toEqual([
      'root',
      'worker-1',
      'worker-2',
      'worker-3',
      'verifier',
      'synthesizer',
    ]);
    const at = async (ref: string) => look(world, { id: value.cards[ref] ?? '' });
    expect(await at('root')).toMatchObject({ state: 'done', title: 'Find the leak', body: input.goal });
    expect(await at('worker-2')).toMatchObject({
      state: 'ready',
      assignee: 'bob',
      properties: { swarm: { role: 'worker', blackboard: value.cards['root'] } },
    });
    expect((await at('verifier')).waiting_detail).toHaveLength(3);
    expect((await at('synthesizer')).waiting_detail).toEqual([value.cards['verifier']]);
    for (const name of ['ada', 'ada', 'bob']) await work(main, world.agent(name), desk);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect(await work(main, world.agent('eve'), desk)).toBe(value.cards['verifier']);
    expect(await work(main, ada, desk)).toBe(value.cards['synthesizer']);
  });
});
