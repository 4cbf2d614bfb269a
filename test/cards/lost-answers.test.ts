/**
 * Every write of the card verbs applied with its answer lost: once, so that the SDK repeats it, and for good, so
 * that the caller repeats the verb. The card is as if nothing had happened, and no event is counted twice
 * (aws-sdk-java #2667).
 */
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { isProblem } from '../../shared/errors.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reclaimCard } from '../../shared/verbs/reclaim-card.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { repeatable } from '../boards/support/board.ts';
import { losingAnswer, SDK_TRIES } from '../support/lost-answers.ts';
import { fail, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, made, make, makeDesk, type Desk } from './support/cards.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');

interface Story {
  readonly name: string;
  readonly contract?: object;
  /** Makes the card and brings it to where the verb starts. */
  readonly before?: (desk: Desk) => Promise<unknown>;
  readonly verb: (engine: Engine, card: string, desk: Desk) => Promise<unknown>;
  /** Repeated by its caller it is refused or moves once more: only the SDK's repeat is in the story. */
  readonly once?: true;
}
const claimed = async (desk: Desk) => mustClaim(main, ada, desk.queue);
const STORIES: readonly Story[] = [
  {
    name: 'a patch of content and place',
    verb: async (engine, card) =>
      patchCard(engine, admin, {
        card,
        title: 'new',
        body: 'x'.repeat(2_000),
        priority: 9,
        properties: { a: 1 },
      }),
  },
  {
    name: 'a patch of priority',
    verb: async (engine, card) => patchCard(engine, admin, { card, priority: 9 }),
  },
  {
    name: 'a move',
    verb: async (engine, card, { done }) => moveCard(engine, admin, { card, column_id: done }),
    once: true,
  },
  {
    name: 'a forced move',
    before: claimed,
    verb: async (engine, card, { todo }) =>
      moveCard(engine, admin, { card, column_id: todo, force: true, reason: 'r' }),
    once: true,
  },
  { name: 'a hold', verb: async (engine, card) => holdCard(engine, admin, { card }) },
  { name: 'an archiving', verb: async (engine, card) => archiveCard(engine, admin, { card }) },
  {
    name: 'a forced archiving',
    before: claimed,
    verb: async (engine, card) => archiveCard(engine, admin, { card, force: true, reason: 'r' }),
  },
  {
    name: 'a reclaim',
    before: claimed,
    verb: async (engine, card) => reclaimCard(engine, admin, { card, reason: 'r' }),
    once: true,
  },
  {
    name: 'a redrive',
    contract: { max_attempts: 1 },
    before: async (desk) => fail(main, ada, await claimed(desk)),
    verb: async (engine, card) => redriveCard(engine, admin, { card }),
    once: true,
  },
  { name: 'a deletion', verb: async (engine, card) => deleteCard(engine, admin, { card }), once: true },
];

/** What the story leaves behind, but for what differs from run to run. */
async function outcome(story: Story, engine: Engine) {
  const desk = await makeDesk(world, story.contract);
  const card = await made(world, desk);
  await story.before?.(desk);
  await story.verb(engine, card.id, desk).catch(async (error: unknown) => {
    if (!isProblem(error) || error.code !== 'throttled') throw error;
    await story.verb(main, card.id, desk);
  });
  const { state, column_id, rev, sequence, ev, priority, run, attempt } = await jobOf(world, card);
  const column = desk.board.columns.find(({ id }) => id === column_id)?.name;
  return { state, column, rev, sequence, events: ev.map(({ type }) => type), priority, run, attempt };
}

describe('with the answer of any of its writes lost', () => {
  for (const story of STORIES) {
    it(`${story.name} happens once`, async () => {
      const undisturbed = await outcome(story, main);
      for (const times of story.once ? [1] : [1, SDK_TRIES]) {
        let more = true;
        for (let write = 0; more; write += 1) {
          const losing = losingAnswer(world, write, times);
          expect(await outcome(story, losing.engine)).toEqual(undisturbed);
          more = losing.lost() > 0;
          expect(more || write > 0).toBe(true);
        }
      }
    });
  }

  it('a create with its key makes one card, whole', async () => {
    const desk = await makeDesk(world);
    const body = { title: 'once', body: 'x'.repeat(3_000), dedupe_key: undefined };
    let cards = 0;
    for (const times of [1, SDK_TRIES]) {
      let more = true;
      for (let write = 0; more; write += 1) {
        const losing = losingAnswer(world, write, times);
        const repeat = repeatable(`lost ${write} ${times}`, 'body', 'POST cards');
        const again = async () => make(world, desk, body, { repeat });
        const { value } = await make(world, desk, body, { repeat, engine: losing.engine }).catch(again);
        cards += 1;
        more = losing.lost() > 0;
        expect(value.body).toBe(body.body);
        const { items } = await listCards(main, admin, { board: desk.board.id, limit: 100 });
        expect(items).toHaveLength(cards);
      }
    }
    expect(cards).toBe(8);
  });
});
