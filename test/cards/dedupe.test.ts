import { describe, expect, it } from 'vitest';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { refusal, repeatable } from '../boards/support/board.ts';
import { fail, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { look, made, make, makeDesk, type Desk } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin } = world;
const ada = world.agent('ada');
const KEYED = { dedupe_key: 'nightly' };
const close = async (desk: Desk, card: { id: string }) =>
  moveCard(main, admin, { card: card.id, column_id: desk.done });
const openCards = async (desk: Desk) => {
  const { items } = await listCards(main, admin, { board: desk.board.id, limit: 100 });
  return items.filter((card) => card.dedupe_key === 'nightly' && card.state !== 'done').map(({ id }) => id);
};

describe('a dedupe key', () => {
  it('while its card is open answers that card, also to 30 creators at once (hermes PR 75000, 69017, 31361)', async () => {
    const desk = await makeDesk(world);
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, at) =>
        make(
          world,
          desk,
          { ...KEYED, title: `try ${at}`, body: 'x'.repeat(2_000) },
          { engine: world.engine() },
        ),
      ),
    );
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(answers.filter(({ value }) => value.deduplicated === true)).toHaveLength(29);
    expect(await openCards(desk)).toEqual([answers[0]?.value.id]);
  });

  it('is another board’s too, and says nothing there', async () => {
    const [one, other] = [await makeDesk(world), await makeDesk(world)];
    const first = await made(world, one, KEYED);
    expect((await made(world, other, KEYED)).id).not.toBe(first.id);
  });

  it('counts a dead card as open', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const first = await made(world, desk, KEYED);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    expect(await make(world, desk, KEYED)).toMatchObject({
      created: false,
      value: { id: first.id, state: 'dead', deduplicated: true },
    });
  });

  it('is free again once its card is done, archived or deleted', async () => {
    const desk = await makeDesk(world);
    const done = await made(world, desk, KEYED);
    await close(desk, done);
    const archived = await made(world, desk, KEYED);
    await archiveCard(main, admin, { card: archived.id });
    const deleted = await made(world, desk, KEYED);
    await deleteCard(main, admin, { card: deleted.id });
    const last = await make(world, desk, KEYED);
    expect(last.created).toBe(true);
    expect(new Set([done, archived, deleted, last.value].map(({ id }) => id)).size).toBe(4);
  });

  it('is taken over from a closed card by one of 20 creators at once', async () => {
    const desk = await makeDesk(world);
    await close(desk, await made(world, desk, KEYED));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => make(world, desk, KEYED, { engine: world.engine() })),
    );
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
  });

  it('is taken again by a card that reopens, or keeps it closed naming the card that has it', async () => {
    const desk = await makeDesk(world);
    const first = await made(world, desk, KEYED);
    await close(desk, first);
    expect((await reopenCard(main, admin, { card: first.id })).state).toBe('ready');
    expect((await make(world, desk, KEYED)).value.id).toBe(first.id);
    await close(desk, first);
    const second = await made(world, desk, KEYED);
    for (const reopen of [
      async () => reopenCard(main, admin, { card: first.id }),
      async () => moveCard(main, admin, { card: first.id, column_id: desk.todo }),
    ]) {
      expect(await refusal(reopen())).toMatchObject({ code: 'conflict', extras: { card_id: second.id } });
    }
    await archiveCard(main, admin, { card: first.id });
    expect((await unarchiveCard(main, admin, { card: first.id })).state).toBe('done');
    expect((await look(world, first)).state).toBe('done');
  });

  it('keeps an archived card hidden while another is open under it', async () => {
    const desk = await makeDesk(world);
    const first = await made(world, desk, KEYED);
    await archiveCard(main, admin, { card: first.id });
    const second = await made(world, desk, KEYED);
    expect(await refusal(unarchiveCard(main, admin, { card: first.id }))).toMatchObject({
      code: 'conflict',
      extras: { card_id: second.id },
    });
    await close(desk, second);
    expect((await unarchiveCard(main, admin, { card: first.id })).state).toBe('ready');
    expect((await make(world, desk, KEYED)).value.id).toBe(first.id);
  });

  it('has one open card after a creator and a reopening at once', async () => {
    for (let n = 0; n < 5; n += 1) {
      const desk = await makeDesk(world);
      const card = await made(world, desk, KEYED);
      await close(desk, card);
      await Promise.allSettled([
        make(world, desk, KEYED, { engine: world.engine() }),
        reopenCard(world.engine(), admin, { card: card.id }),
        make(world, desk, KEYED, { engine: world.engine() }),
      ]);
      expect(await openCards(desk)).toHaveLength(1);
    }
  });

  it('found taken is recorded under the Idempotency-Key, and its repeat answers the same', async () => {
    const desk = await makeDesk(world);
    const first = await made(world, desk, KEYED);
    const repeat = repeatable('dedupe', 'body', 'POST cards');
    const answer = await make(world, desk, KEYED, { repeat });
    await close(desk, first);
    const again = await make(world, desk, KEYED, { repeat });
    expect(answer).toMatchObject({
      created: false,
      replayed: false,
      value: { id: first.id, deduplicated: true },
    });
    expect(again).toMatchObject({
      created: false,
      replayed: true,
      value: { id: first.id, deduplicated: true, state: 'done' },
    });
  });
});
