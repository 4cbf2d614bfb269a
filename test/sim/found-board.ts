/** The board that a run begins with, made by the verbs that everybody makes boards with. */
import type { ContractSettings } from '../../shared/contract/settings.ts';
import { createBoard } from '../../shared/verbs/create-board.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { ADMIN, newProcess, type Places, type SimulatedWorld } from './world.ts';

/** A stage's contract as it is put: both end in Done. */
export const contractOf = (settings: Partial<ContractSettings>, places: Pick<Places, 'done'>) => ({
  ...settings,
  on_success_column_id: places.done,
});

export async function foundBoard(world: SimulatedWorld): Promise<Places> {
  const process = newProcess('founder');
  const ask = async <T>(verb: string, run: Parameters<typeof world.callers.call<T>>[2]): Promise<T> => {
    const heard = await world.callers.call(process, { actor: 'founder', verb }, run);
    if (heard.kind !== 'ok') throw new Error(`The board was not made: ${JSON.stringify(heard)}`);
    return heard.value;
  };
  const { value: board } = await ask('create-board', (engine) =>
    createBoard(engine, ADMIN, { name: 'Simulated', slug: 'simulated', template: 'default' }, null),
  );
  const id = (name: string): string => {
    const column = board.columns.find((each) => each.name === name);
    if (column === undefined) throw new Error(`The template has no column ${name}`);
    return column.id;
  };
  const places: Places = {
    board: board.id,
    ready: id('Ready'),
    review: id('Review'),
    todo: id('To do'),
    blocked: id('Blocked'),
    done: id('Done'),
  };
  for (const stage of ['ready', 'review'] as const) {
    const contract = contractOf(world.planned[stage], places);
    await ask('put-contract', (engine) =>
      putContract(engine, ADMIN, { board: places.board, column: places[stage], contract }),
    );
  }
  return places;
}
