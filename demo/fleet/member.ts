/** One worker of the fleet, wherever it runs. */
import type { WorkerEvent } from '../../client/index.ts';

export interface Assignment {
  readonly url: string;
  readonly token: string;
  readonly board: string;
  readonly columnId: string;
  readonly agent: string;
  readonly seed: number;
  readonly concurrency: number;
}

/** Whom a worker asks and tells. */
export interface Desk {
  /** A card was claimed: go on with it, or die with it in hand. */
  readonly claimed: () => 'work' | 'die';
  readonly happened: (event: Told) => void;
  /** The worker is no more, without a word to the server. */
  readonly died: () => void;
  /** The worker has ended although nobody stopped it. */
  readonly broke: (error: unknown) => void;
}

/** What of an event the fleet counts; small enough to cross from process to process. */
export interface Told {
  readonly type: WorkerEvent['type'];
  readonly deadLettered: boolean;
}

export interface Member {
  /** Gives back what it holds; resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

export function told(event: WorkerEvent): Told {
  return { type: event.type, deadLettered: event.type === 'failed' && event.deadLettered };
}
