/** What a run leaves behind for the checker: who asked what and heard what, every change of the table, every event. */
import type { Item } from '../../shared/store/params.ts';
import type { Configuration } from './configuration.ts';
import type { Change } from './table/memory-table.ts';

/** A lease as an answer gave it. */
export interface GivenLease {
  readonly cardId: string;
  readonly run: number;
  readonly token: string;
}

/** One call as its caller saw it. Times are the simulation's, in ms. */
export interface Call {
  readonly actor: string;
  readonly verb: string;
  readonly invoked: number;
  /** Card or lease that it was about. */
  readonly cardId?: string;
  readonly run?: number;
  /** Idempotency key, and the body that it was sent with. */
  readonly key?: string;
  readonly fingerprint?: string;
  answered?: number;
  /** `unknown`: no answer came; it may have been done, or may be done yet. */
  outcome?: 'ok' | 'refused' | 'failed' | 'unknown';
  /** Code of the refusal; of a failure what was thrown. */
  code?: string;
  leases?: readonly GivenLease[];
  /** Card that a create answered. */
  created?: string;
  /** Instance by which it was answered. */
  instance?: string;
}

/** A change of the table with its time. */
export interface TimedChange extends Change {
  readonly at: number;
}

/** An event as a follower of the stream got it. */
export interface Delivered {
  readonly at: number;
  readonly id: string;
  readonly subject: string;
  readonly sequence: number;
  readonly text: string;
}

export interface Recording {
  readonly configuration: Configuration;
  readonly calls: readonly Call[];
  readonly changes: readonly TimedChange[];
  readonly delivered: readonly Delivered[];
  /** The whole table and its index of lanes, once all had come to rest. */
  readonly items: readonly Item[];
  readonly lanes: readonly Item[];
  /** When faults ended. */
  readonly calmAt: number;
  readonly endedAt: number;
  /** True when every offered card was worked off in time after faults had ended. */
  readonly drained: boolean;
}
