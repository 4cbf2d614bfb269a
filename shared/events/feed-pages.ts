/**
 * Appending to a board's feed. Shards of the stream run in parallel, so an order by time or id would let a reader
 * pass events that are written later. Pages have numbers instead, each put on condition that it is absent at the
 * last number + 1: whoever loses the place takes the next, and nothing ever appears behind a reader.
 */
import type { Deps } from '../deps.ts';
import { CONFLICT_JITTER_MS, FEED_NUMBER_LOT, FEED_TRIES } from '../policy.ts';
import { ABSENT, expression } from '../store/conditions.ts';
import { FeedHeadSchema, FeedPageSchema, type FeedPage } from '../store/event-items.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { feedHeadKey, feedPageKey, feedPageNumber, feedPk } from '../store/keys.ts';
import type { Put, Update } from '../store/params.ts';
import type { Store } from '../store/store.ts';
import { EventRetention } from './retention.ts';

const OP_ID_BYTES = 6;
/** Boards whose last page an instance remembers; a forgotten one is read again. */
const BOARDS_MAX = 1_000;

/** The newest page, read strongly. */
export async function newestPage(store: Store, boardId: string): Promise<FeedPage | undefined> {
  const { items } = await store.query({
    pk: { name: 'pk', value: feedPk(boardId) },
    reverse: true,
    limit: 1,
    consistent: true,
  });
  return items[0] === undefined ? undefined : FeedPageSchema.parse(items[0]);
}

export class FeedWriter {
  readonly #store: Store;
  readonly #deps: Deps;
  readonly #retention: EventRetention;
  readonly #last = new Map<string, number>();

  constructor(store: Store, deps: Deps, retention = new EventRetention(store, deps)) {
    this.#store = store;
    this.#deps = deps;
    this.#retention = retention;
  }

  /** Number of the board's last page as far as this instance knows: that page or an earlier one. */
  async lastPage(boardId: string): Promise<number> {
    return this.#last.get(boardId) ?? this.#readLast(boardId);
  }

  /**
   * Puts one page with these entries, in their order, behind all that are there.
   *
   * @throws when the place was lost to others too often; then nothing was put.
   */
  async append(boardId: string, entries: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < FEED_TRIES; attempt += 1) {
      const number = (await this.lastPage(boardId)) + 1;
      if (await this.#put(boardId, number, entries)) {
        this.#remember(boardId, number);
        return;
      }
      this.#last.delete(boardId);
      if (attempt > 0) await this.#deps.sleep(this.#deps.random() * CONFLICT_JITTER_MS);
    }
    throw new Error(`Others kept appending to the feed of ${boardId}`);
  }

  /** False when another has the place. */
  async #put(boardId: string, number: number, entries: readonly string[]): Promise<boolean> {
    const page = await this.#page(boardId, number, entries);
    const put: Put = { kind: 'put', item: page, condition: ABSENT };
    if (isFirstOfLot(number)) {
      return (await this.#store.transact([put, lotUpdate(boardId, number)])).ok;
    }
    const written = await this.#store.write(put);
    return written.ok || written.old?.['op_id'] === page.op_id;
  }

  async #page(boardId: string, number: number, entries: readonly string[]): Promise<FeedPage> {
    const kept = await this.#retention.of(boardId);
    const at = this.#deps.now();
    return {
      ...feedPageKey(boardId, number),
      v: LAYOUT_VERSION,
      board_id: boardId,
      at,
      events: [...entries],
      op_id: this.#deps.secret(OP_ID_BYTES),
      ttl: Math.ceil((at + kept) / 1_000),
    };
  }

  /**
   * The numbers given out are read first: were they read after the pages, another's first page of a lot might come
   * between, and this one would begin a lot behind it.
   */
  async #readLast(boardId: string): Promise<number> {
    const head = await this.#store.get(feedHeadKey(boardId));
    const page = await newestPage(this.#store, boardId);
    const reserved = head === undefined ? 0 : FeedHeadSchema.parse(head).reserved;
    const last = page === undefined ? reserved : feedPageNumber(page);
    this.#remember(boardId, last);
    return last;
  }

  #remember(boardId: string, last: number): void {
    if (this.#last.size >= BOARDS_MAX) this.#last.clear();
    this.#last.set(boardId, last);
  }
}

function isFirstOfLot(number: number): boolean {
  return number % FEED_NUMBER_LOT === 1;
}

/**
 * Notes that a lot of numbers is given out, in the transaction that puts its first page: when all pages have
 * expired, the next one still gets a number above every cursor.
 */
function lotUpdate(boardId: string, number: number): Update {
  return {
    kind: 'update',
    key: feedHeadKey(boardId),
    set: { v: LAYOUT_VERSION, board_id: boardId, reserved: number + FEED_NUMBER_LOT - 1 },
    remove: [],
    condition: number === 1 ? ABSENT : expression('#reserved = :c_reserved', { reserved: number - 1 }),
  };
}
