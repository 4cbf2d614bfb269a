/** Adds up what the table says each call has consumed, by operation of the store. */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';

const READS = new Set(['get', 'batchGet', 'query']);

interface Consumed {
  calls: number;
  /** Units of the table itself and of its indexes. */
  table: number;
  indexes: number;
}

export class CapacityMeter {
  readonly #byOperation = new Map<string, Consumed>();

  readonly record = (operation: string, consumed: ConsumedCapacity | ConsumedCapacity[]): void => {
    const sum = this.of(operation);
    sum.calls += 1;
    for (const part of [consumed].flat()) {
      const indexes = Object.values(part.GlobalSecondaryIndexes ?? {});
      const ofIndexes = indexes.reduce((units, index) => units + (index.CapacityUnits ?? 0), 0);
      sum.indexes += ofIndexes;
      sum.table += (part.CapacityUnits ?? 0) - ofIndexes;
    }
    this.#byOperation.set(operation, sum);
  };

  /** `operation`: get, batchGet, query, put, update, delete or transact. */
  of(operation: string): Consumed {
    return this.#byOperation.get(operation) ?? { calls: 0, table: 0, indexes: 0 };
  }

  get readUnits(): number {
    return this.#units((operation) => READS.has(operation));
  }

  get writeUnits(): number {
    return this.#units((operation) => !READS.has(operation));
  }

  reset(): void {
    this.#byOperation.clear();
  }

  #units(counts: (operation: string) => boolean): number {
    let units = 0;
    for (const [operation, { table, indexes }] of this.#byOperation)
      if (counts(operation)) units += table + indexes;
    return units;
  }
}
