/** The table in memory held against DynamoDB Local: the same calls, one after the other, must be answered alike. */
import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Deps } from '../../../shared/deps.ts';
import { documentClient } from '../../../shared/store/client.ts';
import { Store } from '../../../shared/store/store.ts';
import { createTestTable, type TestTable } from '../../support/dynamodb.ts';
import { readStream } from '../../support/stream.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { memoryClient } from '../table/memory-client.ts';
import { MemoryTable, type Change } from '../table/memory-table.ts';
import { chanceOf } from '../chance.ts';
import { callBy, outcomeOf } from './random-writes.ts';

export interface Difference {
  readonly number: number;
  readonly emulator: unknown;
  readonly memory: unknown;
}

export interface Comparison {
  readonly calls: number;
  readonly table: TestTable;
  /** Changes of the table in memory, in order. */
  readonly changes: readonly Change[];
  readonly difference: Difference | null;
}

/** Makes `count` random calls of both; ends at the first difference. */
export async function compareTables(seed: string, count: number, stream = false): Promise<Comparison> {
  const table = await createTestTable({ stream });
  let secrets = 0;
  const deps: Deps = {
    now: () => 0,
    random: () => 0,
    secret: () => `token-${(secrets += 1)}`,
    sleep: async () => undefined,
  };
  const { tableName } = table;
  const changes: Change[] = [];
  const onChange = (change: Change) => changes.push(change);
  const emulator = new Store({ tableName, deps, client: documentClient(table.clientOptions) });
  const memory = new Store({ tableName, deps, client: memoryClient(new MemoryTable({ onChange })) });
  const chance = chanceOf(seededRandom(seed));
  for (let number = 0; number < count; number += 1) {
    const call = callBy(chance);
    const outcomes = [await outcomeOf(emulator, call), await outcomeOf(memory, call)] as const;
    if (!isDeepStrictEqual(...outcomes)) {
      const difference = { number, emulator: outcomes[0], memory: outcomes[1] };
      return { calls: number, table, changes, difference };
    }
  }
  return { calls: count, table, changes, difference: null };
}

/** What the emulator's stream holds, in the shape of the changes in memory. */
export async function streamOf(table: TestTable) {
  const records = await readStream(table);
  return records.map(({ dynamodb }) => ({
    key: unmarshall(dynamodb?.Keys ?? {}),
    before: dynamodb?.OldImage === undefined ? undefined : unmarshall(dynamodb.OldImage),
    after: dynamodb?.NewImage === undefined ? undefined : unmarshall(dynamodb.NewImage),
  }));
}
