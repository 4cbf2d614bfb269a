/** An engine on the world's table whose writes are applied and whose answers get lost on the way. */
import type { Engine } from '../../shared/engine.ts';
import { documentClient } from '../../shared/store/client.ts';
import { Store } from '../../shared/store/store.ts';
import type { World } from './world.ts';

const WRITES = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
]);

/** Tries of one call that the SDK makes before it gives up: of DynamoDB one more than of other services. */
export const SDK_TRIES = 4;

export interface Losing {
  readonly engine: Engine;
  /** Writes sent so far, the SDK's own repeats left out. */
  sent(): number;
  /** Answers that were lost. */
  lost(): number;
}

/**
 * Loses the answer of the write with this number (from 0), `times` in a row: once, the SDK repeats it; as often
 * as it tries, the verb itself fails and its caller must repeat.
 */
export function losingAnswer(world: World, number: number, times = 1): Losing {
  const client = documentClient(world.table.clientOptions);
  const engine = world.engine();
  let sent = 0;
  let lost = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isWrite = WRITES.has(String(context.commandName));
      const mine = isWrite ? sent : -1;
      if (isWrite) sent += 1;
      let left = mine === number ? times : 0;
      Object.assign(context, {
        lose: () => {
          left -= 1;
          return left >= 0;
        },
      });
      return next(args);
    },
    { step: 'initialize', name: 'countWrites' },
  );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      // A refusal is an answer too, and can be lost like any other.
      const answer = await next(args).then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      const lose: unknown = Reflect.get(context, 'lose');
      if (typeof lose === 'function' && lose() === true) {
        lost += 1;
        throw Object.assign(new Error('the answer was lost'), { name: 'TimeoutError' });
      }
      return answer();
    },
    { step: 'deserialize', name: 'loseAnswer', priority: 'high' },
  );
  const { deps, ...rest } = engine;
  const store = new Store({ tableName: world.table.tableName, client, deps });
  return { engine: { ...rest, deps, store }, sent: () => sent, lost: () => lost };
}
