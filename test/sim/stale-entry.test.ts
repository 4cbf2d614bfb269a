/** What the emulator's index never shows: entries of cards that have long been elsewhere. */
import { expect, it } from 'vitest';
import { LANES_INDEX } from '../../shared/store/table.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { chanceOf } from './chance.ts';
import { configurationBy, withoutFaults } from './configuration.ts';
import { foundBoard } from './found-board.ts';
import { tell } from './simulate.ts';
import { createSimulatedWorld, person } from './world.ts';

it('the reaper leaves a card where a person moved it, though its old column still shows it waiting for input', async () => {
  const calm = withoutFaults(configurationBy(chanceOf(() => 0)));
  const ready = { enabled: true, input_schema: { type: 'object', required: ['ok'] } };
  const world = createSimulatedWorld({ seed: 'stale', configuration: { ...calm, ready } });
  const ann = person('ann');
  const { made, shown, after } = await tell(world, async () => {
    const { board, ready: column, todo } = await foundBoard(world);
    const { engine } = world.instances.any();
    const body = { board, column_id: column, title: 'Waits for input' };
    const { value: made } = await createCard(engine, ann, body, null);
    world.configuration = { ...calm, lag: { mean: 3_600_000, spike: 0 } };
    const moved = await moveCard(engine, ann, { card: made.id, column_id: todo });
    const shown = [...world.table.scanIndex(LANES_INDEX)].find(({ pk }) => pk === made.id)?.['lane'];
    await reap(engine, Number.MAX_SAFE_INTEGER);
    return { made, shown, moved, after: await getCard(engine, ann, { card: made.id }) };
  });
  expect(made.waiting_on).toBe('input');
  expect(shown).toContain(made.column_id.slice('col_'.length));
  expect(after).toMatchObject({ state: 'idle' });
  expect(after.column_id).not.toBe(made.column_id);
});
