/** An engine under measurement: what a piece of work costs in round trips, in units by AWS's rule, and in refusals. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Engine } from '../../../shared/engine.ts';
import { Store } from '../../../shared/store/store.ts';
import type { World } from '../../support/world.ts';
import { awsUnits, isRefusal, type Call } from './aws-units.ts';
import { listeningClient } from './listen.ts';
import { RoundTrips } from './round-trips.ts';

export interface Cost {
  /** Sequential round trips to the table. */
  readonly rounds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Adds up what calls cost. */
export class Ledger {
  readUnits = 0;
  writeUnits = 0;
  /** Writes whose condition was refused. */
  refused = 0;

  readonly add = (call: Call): void => {
    const units = awsUnits(call);
    this.readUnits += units.read;
    this.writeUnits += units.write;
    if ('error' in call.answer && isRefusal(call.answer.error)) this.refused += 1;
  };

  reset(): void {
    this.readUnits = 0;
    this.writeUnits = 0;
    this.refused = 0;
  }
}

export interface Probe {
  readonly engine: Engine;
  /** Runs one piece of work, alone on this probe, and answers what it cost. */
  readonly cost: <T>(work: () => Promise<T>) => Promise<Cost & { readonly value: T }>;
}

/** Another instance of the world, measured: with caches and memory of its own, so at first it is cold. */
export function createProbe(world: World): Probe {
  const trips = new RoundTrips();
  const ledger = new Ledger();
  const client = listeningClient(world, { onCall: ledger.add, around: (call) => trips.within(call) });
  return {
    engine: engineOn(world.engine(), client, world.table.tableName),
    cost: async (work) => {
      trips.reset();
      ledger.reset();
      const value = await work();
      const { readUnits, writeUnits } = ledger;
      return { value, rounds: trips.rounds, readUnits, writeUnits };
    },
  };
}

/** The engine with its store on another client; every answer tells its capacity. */
export function engineOn(engine: Engine, client: DynamoDBDocumentClient, tableName: string): Engine {
  const { deps } = engine;
  return { ...engine, store: new Store({ tableName, client, deps, meter: () => undefined }) };
}
