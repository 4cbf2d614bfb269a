/**
 * What one instance remembers between claims of a column: how contended it is, which cards it has seen taken,
 * and how many answers in a row were empty. Nothing is shared: a shared count would cost a write per poll.
 */
import type { Lanes } from './lanes.ts';
import {
  LANE_PAGE,
  POLL_FIRST_SECONDS,
  POLL_JITTER,
  POLL_MAX_SECONDS,
  PREFETCH_MS,
  SEEN_TAKEN_MS,
  WINDOW_CALM,
  WINDOW_DECAY,
  WINDOW_FIRST,
  WINDOW_GROWTH,
  WINDOW_MAX,
} from '../policy.ts';

/** What tells one entry of a card from its next: a card that was given back is another entry. */
interface EntryIdentity {
  readonly pk: string;
  readonly run: number;
  readonly pos: string;
}
const nameOf = (entry: EntryIdentity): string => `${entry.pk} ${entry.run} ${entry.pos}`;

/** Calm: the head is taken, in strict order. */
const CALM = 1;
const COLUMNS_MAX = 1_000;
/** 2^5 seconds is past the longest hint. */
const EMPTY_MAX = 5;

/** What this instance knows of outages: see `pulse.ts`. Times in ms. */
export interface Pulse {
  /** When it could last read the lanes. */
  readAt: number;
  /** When it last left the time for others. */
  beatAt: number;
  /** Until when holders are awaited after an outage. */
  calmUntil: number;
}

export class ColumnMemory {
  readonly pulse: Pulse = { readAt: 0, beatAt: 0, calmUntil: 0 };
  /** Entries of the last reading that this instance had seen taken: an index that lags shows them still. */
  staleShown = 0;
  /** Lanes of each kind that the column was seen to have: they are read before it is looked up. */
  shards = 1;
  #window = CALM;
  #empty = 0;
  readonly #stale = new Map<string, number>();
  #prefetched: { agent: string | null; lanes: Promise<Lanes>; at: number } | null = null;

  /** Cards to choose among; 1 when calm. */
  get window(): number {
    return this.#window;
  }

  /** Entries to read of a lane: as many as there are to choose among, beyond those known to be stale. */
  get page(): number {
    return Math.min(WINDOW_MAX, Math.max(LANE_PAGE, Math.ceil(this.#window)) + this.staleShown);
  }

  lost(): void {
    this.#window = Math.min(WINDOW_MAX, Math.max(WINDOW_FIRST, this.#window * WINDOW_GROWTH));
  }

  won(): void {
    const next = this.#window * WINDOW_DECAY;
    this.#window = next < WINDOW_CALM ? CALM : next;
    this.#empty = 0;
  }

  /** A first reading begun before the caller is known; it serves one claim of that name. */
  prefetch(agent: string | null, lanes: Promise<Lanes>, now: number): void {
    this.#prefetched = { agent, lanes, at: now };
  }

  /** Null when there is none, or one for another name, or one that its request left behind. */
  takePrefetched(agent: string | null, now: number): Promise<Lanes> | null {
    const begun = this.#prefetched;
    this.#prefetched = null;
    return begun !== null && begun.agent === agent && now - begun.at < PREFETCH_MS ? begun.lanes : null;
  }

  /** This very entry is stale wherever it is met from now on: the index lags behind. */
  sawGone(entry: EntryIdentity, now: number): void {
    for (const [name, at] of this.#stale) {
      if (now - at < SEEN_TAKEN_MS) break;
      this.#stale.delete(name);
    }
    this.#stale.set(nameOf(entry), now);
  }

  isGone(entry: EntryIdentity, now: number): boolean {
    const at = this.#stale.get(nameOf(entry));
    return at !== undefined && now - at < SEEN_TAKEN_MS;
  }

  /** Seconds until the next poll makes sense: doubles while the queue stays empty, spread, never past `next`. */
  hint(now: number, next: number | null, chance: number): number {
    const base = Math.min(POLL_MAX_SECONDS, POLL_FIRST_SECONDS * 2 ** this.#empty);
    this.#empty = Math.min(EMPTY_MAX, this.#empty + 1);
    const spread = base * (1 + POLL_JITTER * (2 * chance - 1));
    const untilNext = next === null ? spread : Math.max(0, (next - now) / 1_000);
    return Math.round(Math.min(spread, untilNext) * 1_000) / 1_000;
  }
}

export class ClaimMemory {
  readonly #columns = new Map<string, ColumnMemory>();

  of(columnId: string): ColumnMemory {
    const known = this.#columns.get(columnId);
    if (known !== undefined) return known;
    const fresh = new ColumnMemory();
    this.#columns.set(columnId, fresh);
    for (const id of this.#columns.keys()) {
      if (this.#columns.size <= COLUMNS_MAX) break;
      this.#columns.delete(id);
    }
    return fresh;
  }
}
