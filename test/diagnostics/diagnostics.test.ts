import { beforeAll, describe, expect, it } from 'vitest';
import type { DiagnosticView } from '../../shared/verbs/get-diagnostics.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { assignCard } from '../../shared/verbs/assign-card.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { blockCard } from '../../shared/verbs/block-card.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { requestReview } from '../../shared/verbs/request-review.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { DIAGNOSTIC_CODES } from '../../shared/diagnostics/codes.ts';
import { jobKey } from '../../shared/store/keys.ts';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';
import { claimSoon } from '../around/support/desk.ts';
import { made, makeDesk, setContract, type Desk } from '../cards/support/cards.ts';
import { complete, fail, mustClaim } from '../support/worker.ts';

let http: HttpWorld;

beforeAll(async () => {
  http = await createHttpWorld();
});

const HOUR_MS = 3_600_000;
const ada = () => http.world.agent('ada');

async function diagnosticsOf({ board }: Desk): Promise<DiagnosticView[]> {
  const items: DiagnosticView[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await http.call({ path: `/v1/boards/${board.id}/diagnostics?limit=2${query}` });
    expect(answer.status).toBe(200);
    items.push(...(answer.body['items'] as DiagnosticView[]));
    cursor = answer.body['next_cursor'] as string | null;
  }
  return items;
}

type Named = { readonly id: string };

/** What brings a card to where it is not offered; answers the card that is to be found. */
const stories: Record<string, (desk: Desk) => Promise<Named>> = {
  draft: async (desk) => made(http.world, desk, { draft: true }),
  on_hold: async (desk) => {
    const card = await made(http.world, desk);
    return holdCard(http.world.main, http.world.admin, { card: card.id });
  },
  container_empty: async (desk) => made(http.world, desk, { container: true }),
  container_open: async (desk) => {
    const container = await made(http.world, desk, { container: true });
    await made(http.world, desk, { container_id: container.id });
    return container;
  },
  parents_open: async (desk) => {
    const parent = await made(http.world, desk);
    return made(http.world, desk, { parents: [parent.id] });
  },
  parent_dead: async (desk) => {
    const parent = await made(http.world, desk, { max_attempts: 1 });
    const child = await made(http.world, desk, { parents: [parent.id] });
    await fail(http.world.main, ada(), await mustClaim(http.world.main, ada(), desk.queue), { reason: 'no' });
    return child;
  },
  parent_archived: async (desk) => {
    const parent = await made(http.world, desk);
    const child = await made(http.world, desk, { parents: [parent.id] });
    await archiveCard(http.world.main, http.world.admin, { card: parent.id });
    return child;
  },
  parent_gone: async (desk) => {
    const parent = await made(http.world, desk);
    const child = await made(http.world, desk, { parents: [parent.id] });
    await deleteCard(http.world.main, http.world.admin, { card: parent.id });
    return child;
  },
  scheduled: async (desk) =>
    made(http.world, desk, { scheduled_at: new Date(http.world.clock.now() + HOUR_MS).toISOString() }),
  backing_off: async (desk) => {
    const card = await made(http.world, desk);
    await fail(http.world.main, ada(), await mustClaim(http.world.main, ada(), desk.queue), { reason: 'no' });
    return card;
  },
  not_in_a_queue: async (desk) => made(http.world, desk, { column_id: desk.todo }),
  blocked: async (desk) => {
    const card = await made(http.world, desk);
    return blockCard(http.world.main, http.world.admin, { card: card.id, reason: 'Which one?' });
  },
  dead: async (desk) => {
    const card = await made(http.world, desk, { max_attempts: 1 });
    await fail(http.world.main, ada(), await mustClaim(http.world.main, ada(), desk.queue), { reason: 'no' });
    return card;
  },
  held: async (desk) => {
    const card = await made(http.world, desk);
    await mustClaim(http.world.main, ada(), desk.queue);
    return card;
  },
  column_paused: async (desk) => {
    const card = await made(http.world, desk);
    await pauseColumn(http.world.main, http.world.admin, { board: desk.board.id, column: desk.ready });
    return card;
  },
  board_archived: async (desk) => {
    const card = await made(http.world, desk);
    await archiveBoard(http.world.main, http.world.admin, { board: desk.board.id });
    return card;
  },
  column_full: async (desk) => {
    await setContract(http.world, desk.board, { concurrency_limit: 1, max_attempts: 3 });
    await made(http.world, desk);
    await claimSoon(http.world, ada(), desk.queue);
    return made(http.world, desk);
  },
  board_full: async (desk) => {
    await updateBoard(http.world.main, http.world.admin, { board: desk.board.id, max_in_progress: 1 });
    await made(http.world, desk);
    await claimSoon(http.world, ada(), desk.queue);
    return made(http.world, desk, { column_id: desk.review });
  },
  assignee_full: async (desk) => {
    await setContract(http.world, desk.board, { max_per_assignee: 1 });
    await made(http.world, desk);
    await claimSoon(http.world, ada(), desk.queue);
    await made(http.world, desk, { assignee: 'bob' });
    await made(http.world, desk);
    return made(http.world, desk, { assignee: 'ada' });
  },
  four_eyes: async (desk) => {
    const { world } = http;
    const contract = { enabled: true, on_success_column_id: desk.done, exclude_previous_holder: true };
    await putContract(world.main, world.admin, { board: desk.board.id, column: desk.review, contract });
    const [card, other] = [await made(world, desk), await made(world, desk)];
    for (const _ of [card, other]) {
      const { lease_id, lease_token } = await mustClaim(world.main, ada(), desk.queue);
      await requestReview(world.main, ada(), { lease: lease_id, lease_token, summary: 'look' });
    }
    return assignCard(world.main, world.admin, { card: card.id, assignee: 'ada' });
  },
};

/** Cards beside the one that a story is about are held, if they are listed at all. */
const LISTED_BESIDE = new Set(['parents_open', 'parent_dead', 'container_open', 'held', 'dead']);

describe('diagnostics', () => {
  it.each(Object.entries(stories))(
    'name a card under %s, and what they propose makes it go',
    async (code, tell) => {
      const desk = await makeDesk(http.world);
      const card = await tell(desk);
      const [found, ...others] = (await diagnosticsOf(desk)).filter(({ card_id }) => card_id === card.id);
      expect(others).toEqual([]);
      const beside = (await diagnosticsOf(desk)).filter(({ card_id }) => card_id !== card.id);
      expect(beside.filter((entry) => !LISTED_BESIDE.has(entry.code))).toEqual([]);
      expect(found).toMatchObject({
        code,
        since: expect.stringMatching(/Z$/),
        sentence: expect.stringMatching(/\.$|\?$/),
      });

      const { method, path = '', body } = found?.action ?? {};
      const { status } = await http.call({ method, path, ...(method === 'DELETE' ? {} : { body }) } as never);
      expect(status).toBeLessThan(300);

      const after = await diagnosticsOf(desk);
      expect(after.filter((entry) => entry.card_id === card.id && entry.code === code)).toEqual([]);
    },
  );

  it('have a story for each of their codes, but for what only a person can cure', () => {
    const told = [...Object.keys(stories), 'input_invalid', 'corrupt'];
    expect(told.toSorted()).toEqual(DIAGNOSTIC_CODES.toSorted());
  });

  it.each([
    ['parent_dead', { max_attempts: 1 }],
    ['parent_archived', {}],
    ['parent_gone', {}],
  ])(
    'say of a container under %s what helps its sub-card, which its completion would not',
    async (code, more) => {
      const { world } = http;
      const desk = await makeDesk(world);
      const container = await made(world, desk, { container: true });
      await made(world, desk, { container_id: container.id, column_id: desk.todo });
      const sub = await made(world, desk, { container_id: container.id, ...more });
      if (code === 'parent_dead')
        await fail(world.main, ada(), await mustClaim(world.main, ada(), desk.queue));
      if (code === 'parent_archived') await archiveCard(world.main, world.admin, { card: sub.id });
      if (code === 'parent_gone') await deleteCard(world.main, world.admin, { card: sub.id });
      const of = async () => (await diagnosticsOf(desk)).find(({ card_id }) => card_id === container.id);
      const found = await of();
      expect(found).toMatchObject({ code, sentence: expect.stringContaining(sub.id) });
      const { method, path = '', body } = found?.action ?? {};
      const { status } = await http.call({ method, path, ...(method === 'DELETE' ? {} : { body }) } as never);
      expect(status).toBeLessThan(300);
      expect((await of())?.code).toBe('container_open');
    },
  );

  it('propose a limit that has room, also where more cards are held than it permits', async () => {
    const { world } = http;
    const desk = await makeDesk(world, { concurrency_limit: 5 });
    for (let at = 0; at < 6; at += 1) await made(world, desk);
    for (let at = 0; at < 4; at += 1) await claimSoon(world, ada(), desk.queue);
    await setContract(world, desk.board, { concurrency_limit: 2, lease_ttl_seconds: 900, max_attempts: 3 });
    const full = (await diagnosticsOf(desk)).filter(({ code }) => code === 'column_full');
    expect(full.length).toBe(2);
    expect(full[0]?.action).toMatchObject({
      method: 'PUT',
      body: { enabled: true, concurrency_limit: 5, lease_ttl_seconds: 900, max_attempts: 3 },
    });
  });

  it('name the field of an input that does not fit, which only a person can put right', async () => {
    const schema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
    const desk = await makeDesk(http.world, { input_schema: schema });
    const card = await made(http.world, desk, { properties: { town: 'Rome' } });
    const [found] = await diagnosticsOf(desk);
    expect(found).toMatchObject({
      card_id: card.id,
      code: 'input_invalid',
      action: { method: 'PATCH', body: null },
    });
    expect(found?.sentence).toContain('city');
    const path = found?.action?.path ?? '';
    await http.call({ method: 'PATCH', path, body: { properties: { city: 'Rome' } } });
    expect(await diagnosticsOf(desk)).toEqual([]);
  });

  it('say nothing of cards that are offered, done or archived, but all the more of one that cannot be read', async () => {
    const { world } = http;
    const desk = await makeDesk(world, { max_attempts: 5 });
    await made(world, desk);
    await complete(world.main, ada(), await mustClaim(world.main, ada(), desk.queue));
    await archiveCard(world.main, world.admin, { card: (await made(world, desk)).id });
    const expired = await made(world, desk);
    await mustClaim(world.main, ada(), desk.queue);
    world.clock.advance(HOUR_MS);
    await made(world, desk);
    expect(await diagnosticsOf(desk)).toEqual([]);

    await world.main.store.write({ kind: 'update', key: jobKey(expired.id), set: { rank: 5 }, remove: [] });
    const found = await diagnosticsOf(desk);
    expect(found).toMatchObject([{ card_id: expired.id, code: 'corrupt', since: null, action: null }]);
  });

  it('are not found for the token of another board', async () => {
    const [desk, other] = [await makeDesk(http.world), await makeDesk(http.world)];
    const foreign = await http.token('elsewhere', { board_id: other.board.id });
    for (const what of ['diagnostics', 'stats'])
      expect((await http.call({ path: `/v1/boards/${desk.board.id}/${what}` }, foreign)).status).toBe(404);
  });
});
