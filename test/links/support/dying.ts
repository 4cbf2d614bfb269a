/** An instance that dies: from one of its writes on it reaches the table no more. */
import type { Engine } from '../../../shared/engine.ts';
import { documentClient } from '../../../shared/store/client.ts';
import { Store } from '../../../shared/store/store.ts';
import type { World } from '../../support/world.ts';

const WRITES = /^(Put|Update|Delete|Transact)/;

/** @param writes How many it still makes; the next one and all that follow are lost on the way. */
export function dyingEngine(world: World, writes: number): Engine {
  const client = documentClient({ ...world.table.clientOptions, maxAttempts: 1 });
  let left = writes;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (WRITES.test(String(context.commandName))) left -= 1;
      if (left < 0) throw new Error('the instance is dead');
      return next(args);
    },
    { step: 'initialize', name: 'die' },
  );
  const engine = world.engine();
  return { ...engine, store: new Store({ tableName: world.table.tableName, client, deps: engine.deps }) };
}
