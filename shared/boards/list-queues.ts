import type { Engine } from '../engine.ts';
import { QUEUES_PK } from '../store/keys.ts';

/** Ids of all queue columns of the installation, as the register of queues has them. */
export async function listQueues(engine: Engine): Promise<string[]> {
  const ids: string[] = [];
  const register = engine.store.pages({ pk: { name: 'pk', value: QUEUES_PK } });
  for await (const items of register) ids.push(...items.map(({ sk }) => String(sk)));
  return ids;
}
