/**
 * A platform with a plug. Pulled, requests get no answer and timers never fire: to the server, a worker on it has
 * died in the middle of what it did, without a word. It is how most of the demo's workers vanish; the others are
 * processes of their own, ended by kill -9.
 */
import type { Platform } from '../client/index.ts';

export interface Unpluggable {
  readonly platform: Platform;
  readonly unplug: () => void;
}

export function unpluggable(base: Platform): Unpluggable {
  let unplugged = false;
  const whilePlugged = <Value>(value: Value): Promise<Value> =>
    unplugged ? new Promise<never>(() => {}) : Promise.resolve(value);
  return {
    unplug: () => {
      unplugged = true;
    },
    platform: {
      ...base,
      fetch: async (input, init) => {
        await whilePlugged(undefined);
        return whilePlugged(await base.fetch(input, init));
      },
      setTimer: (milliseconds, fire) => {
        if (unplugged) return () => {};
        return base.setTimer(milliseconds, () => {
          if (!unplugged) fire();
        });
      },
    },
  };
}
