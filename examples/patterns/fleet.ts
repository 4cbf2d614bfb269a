/**
 * Fleet farming: any number of workers at one queue, all under one name, started and ended as the load asks. The lease
 * is the lock, so they need not know of each other; what one of them drops comes back, and the queue's limit holds
 * however many there are.
 */
import { everyItem, RetryAfter } from '../../client/index.ts';
import { newStage, setQueue, work, type Pattern } from './support.ts';

const CARDS = 24;
const WORKERS = 6;
const AT_ONCE = 4;

export const fleet: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Fleet');
  await setQueue(client, stage, 'Ready', { concurrency_limit: AT_ONCE });
  const column_id = stage.column('Ready');
  const cards = Array.from({ length: CARDS }, (_none, at) => ({ title: `Row ${at + 1}`, column_id }));
  await client.cards.createBatch(stage.board, cards);

  let dropped = 0;
  const fleetWorks = async (): Promise<void> => {
    await Promise.all(
      Array.from({ length: WORKERS }, async () =>
        work(connect, stage, 'Ready', 'reaper-of-rows', () => {
          if ((dropped += 1) === 1) throw new RetryAfter(0, 'The provider said: too many requests');
          return 'done';
        }),
      ),
    );
  };
  const left = async (): Promise<boolean> => {
    const { counts } = await client.boards.get(stage.board);
    return (counts.ready ?? 0) + (counts.waiting ?? 0) > 0;
  };
  // Schedules start fleets again and again; each round takes what there is by then.
  while (await left()) await fleetWorks();

  const done: string[] = [];
  for await (const { id } of everyItem((page) =>
    client.cards.list(stage.board, { state: 'done', ...page }),
  )) {
    done.push(id);
  }
  say(`${WORKERS} workers, at most ${AT_ONCE} at once, have done ${done.length} of ${CARDS} cards`);
  return stage.board;
};
