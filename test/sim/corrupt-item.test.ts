/** What DynamoDB Local answers otherwise than AWS does, the table in memory answers as AWS. */
import { expect, it } from 'vitest';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { jobKey } from '../../shared/store/keys.ts';
import { chanceOf } from './chance.ts';
import { configurationBy, withoutFaults } from './configuration.ts';
import { foundBoard } from './found-board.ts';
import { tell } from './simulate.ts';
import { agent, createSimulatedWorld, person } from './world.ts';

it('a corrupt card at the head of a limited column stops nobody, though its transaction cannot be computed', async () => {
  const configuration = withoutFaults(configurationBy(chanceOf(() => 0)));
  const ready = { enabled: true, concurrency_limit: 5 };
  const world = createSimulatedWorld({ seed: 'corrupt', configuration: { ...configuration, ready } });
  const given = await tell(world, async () => {
    const places = await foundBoard(world);
    const { engine } = world.instances.any();
    const make = async (title: string) =>
      (await createCard(engine, person('ann'), { board: places.board, column_id: places.ready, title }, null))
        .value.id;
    const corrupt = await make('first');
    const sound = await make('second');
    const { sequence: _sequence, ...rest } = world.table.get(jobKey(corrupt)) ?? {};
    world.table.put(jobKey(corrupt), rest);
    // A limit just set first looks for leases that live without a slot.
    await world.scheduler.sleep(10_000, null);
    const { value } = await claimNext(
      engine,
      agent('ada'),
      { board: places.board, column: places.ready },
      null,
    );
    return { sound, claimed: value.card?.id };
  });
  expect(given.claimed).toBe(given.sound);
});
