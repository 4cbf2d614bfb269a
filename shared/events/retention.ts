/** How long a board keeps its events, as the fan-out needs to know when it writes them. */
import { Cache } from '../cache.ts';
import type { Deps } from '../deps.ts';
import { EVENT_RETENTION_MS } from '../policy.ts';
import { RETENTION_CACHE_MS } from '../retention/policy.ts';
import { BoardSchema } from '../store/items.ts';
import { boardKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { DAY_MS } from '../units.ts';

export class EventRetention {
  readonly #store: Store;
  readonly #boards: Cache<number>;

  constructor(store: Store, deps: Deps) {
    this.#store = store;
    this.#boards = new Cache(RETENTION_CACHE_MS, () => deps.now());
  }

  /** In ms. A shorter setting reaches what is there through the reaper, a longer one only what comes after it. */
  async of(boardId: string): Promise<number> {
    const kept = await this.#boards.get(boardId, async () => this.#read(boardId));
    return kept ?? EVENT_RETENTION_MS;
  }

  async #read(boardId: string): Promise<number> {
    const item = await this.#store.get(boardKey(boardId), false);
    const days = BoardSchema.safeParse(item).data?.event_retention_days;
    return days === undefined ? EVENT_RETENTION_MS : days * DAY_MS;
  }
}
