/**
 * Keeps a board up to date: the feed every two seconds while somebody looks, the leases for what is no event.
 * A hidden page asks nothing; one that was hidden for long reads anew instead of replaying a night.
 */
import { effect, signal, type Signal } from '@preact/signals';
import { isLeaseboardError } from '../../../client/errors.ts';
import type { BoardEvent, Lease, Page } from '../../../client/types.ts';
import { now, serverNow } from '../state/clock.ts';
import { reasonOf } from '../state/notices.ts';
import { endedBy, may } from '../state/session.ts';
import { filter } from './filters.ts';
import type { BoardStore } from './store.ts';

export type Liveness = 'loading' | 'live' | 'reconnecting' | 'read-only' | 'gone';

/** What a tab that never closes costs goes by this: $1.8 a month. */
const POLL_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
const LEASES_MS = 15_000;
/** A lease that seems to run out was probably renewed since it was read: looked at early, but not at every tick. */
const EARLY_LEASES_MS = 4_000;
/** A token that may not read the feed sees the board as it was read last. */
const READ_ONLY_MS = 20_000;
const FEED_PAGE = 100;
/** More news than this and the board is read anew, which is cheaper and shows no film of the past. */
const MOST_PAGES = 5;
/** A fresh reading begins half a minute back, and on a busy board that is a lot to merge; still it is done once. */
const CATCH_UP_PAGES = 60;
/** Counts of what was not read card by card go stale slowly. */
const BOARD_MS = 120_000;

export class LiveBoard {
  readonly status: Signal<Liveness> = signal('loading');
  readonly problem: Signal<string | null> = signal(null);
  /** Counts how often the board was read anew: between two of them events may have been missed. */
  readonly reading: Signal<number> = signal(0);
  readonly #store: BoardStore;
  readonly #tell: (events: readonly BoardEvent[]) => void;
  readonly #stopping = new AbortController();
  #cursor: string | null = null;
  #leasesAt = 0;
  #boardAt = 0;
  #failures = 0;
  #wake: () => void = () => {};

  constructor(store: BoardStore, tell: (events: readonly BoardEvent[]) => void) {
    this.#store = store;
    this.#tell = tell;
  }

  start(): void {
    const wake = (): void => this.wake();
    const { signal } = this.#stopping;
    document.addEventListener('visibilitychange', wake, { signal });
    window.addEventListener('online', wake, { signal });
    window.addEventListener('offline', wake, { signal });
    let archived = filter.peek().archived;
    const stopWatching = effect(() => {
      if (filter.value.archived === archived) return;
      archived = filter.value.archived;
      this.reload();
    });
    signal.addEventListener('abort', stopWatching, { once: true });
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
    this.#wake();
  }

  /** Looks now instead of at the next turn. */
  wake(): void {
    this.#wake();
  }

  reload(): void {
    this.#cursor = null;
    if (this.status.value === 'gone') {
      this.status.value = 'loading';
      void this.#run();
    }
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (document.visibilityState === 'visible') await this.#turn();
      if (this.status.value === 'gone') return;
      await this.#pause();
    }
  }

  async #turn(): Promise<void> {
    try {
      if (this.#cursor === null) await this.#readAnew();
      else if (may('member')) await this.#follow(this.#cursor);
      await this.#readLeases();
      if (serverNow() - this.#boardAt > BOARD_MS) await this.#refreshBoard();
      this.#failures = 0;
      this.problem.value = null;
      this.status.value = may('member') ? 'live' : 'read-only';
      if (!may('member')) this.#cursor = null;
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted || endedBy(error)) return;
    if (isLeaseboardError(error, 'invalid_cursor')) this.#cursor = null;
    this.#failures += 1;
    this.problem.value = reasonOf(error);
    const gone = isLeaseboardError(error, 'not_found') || isLeaseboardError(error, 'forbidden');
    this.status.value = gone ? 'gone' : 'reconnecting';
  }

  async #readAnew(): Promise<void> {
    this.reading.value += 1;
    const cursor = await this.#store.load(filter.peek().archived);
    this.#cursor = cursor;
    this.#boardAt = serverNow();
    this.status.value = may('member') ? 'live' : 'read-only';
    if (may('member')) await this.#followFor(CATCH_UP_PAGES, cursor);
  }

  async #follow(from: string): Promise<void> {
    // Too much has happened, or too long ago.
    const news: BoardEvent[] = [];
    if (await this.#followFor(MOST_PAGES, from, news)) await this.#react(news);
    else await this.#readAnew();
  }

  /** Collects what was news. False when there is more than so many pages, or when events have expired unread. */
  async #followFor(pages: number, from: string, news: BoardEvent[] = []): Promise<boolean> {
    let cursor = from;
    for (let page = 0; page < pages; page += 1) {
      const answer = await this.#store.client.events.list(
        this.#store.slug,
        { since: cursor, limit: FEED_PAGE },
        { signal: this.#stopping.signal, retries: 0 },
      );
      if (answer.expired) return false;
      cursor = answer.next_cursor;
      this.#cursor = cursor;
      const fresh = this.#store.takeEvents(answer.items);
      this.#tell(fresh);
      news.push(...fresh);
      if (answer.items.length < FEED_PAGE) return true;
    }
    return false;
  }

  async #react(news: readonly BoardEvent[]): Promise<void> {
    if (news.some(({ type }) => type.startsWith('column.') || type.startsWith('board.')))
      await this.#refreshBoard();
    // Where exactly somebody has put a card, only the column's list tells.
    const moved = news.filter(
      ({ type, previous, column_id }) => type === 'card.moved' && previous?.column_id === column_id,
    );
    for (const column of new Set(moved.map(({ column_id }) => column_id))) {
      if (column !== null) await this.#store.reloadColumn(column);
    }
  }

  async #refreshBoard(): Promise<void> {
    this.#boardAt = serverNow();
    await this.#store.refreshBoard();
  }

  async #readLeases(): Promise<void> {
    const held = [...this.#store.cards.value.values()].filter(({ card }) => card.lease !== null);
    const age = serverNow() - this.#leasesAt;
    const runsOut = held.some(({ card }) => Date.parse(card.lease?.expires_at ?? '') < now.value + POLL_MS);
    if (held.length === 0 || age < (runsOut ? EARLY_LEASES_MS : LEASES_MS)) return;
    this.#leasesAt = serverNow();
    let cursor: string | null = null;
    do {
      const page: Page<Lease> = await this.#store.client.leases.list(
        this.#store.slug,
        { limit: FEED_PAGE, ...(cursor === null ? {} : { cursor }) },
        { signal: this.#stopping.signal, retries: 0 },
      );
      this.#store.takeLeases(page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Until the next turn; a failing server is asked ever more rarely, a hidden page waits to be looked at. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const pause = may('member') ? POLL_MS : READ_ONLY_MS;
    const delay = Math.min(LONGEST_PAUSE_MS, pause * 2 ** Math.min(this.#failures, 4));
    const timer = document.visibilityState === 'visible' ? setTimeout(resolve, delay) : null;
    await promise;
    if (timer !== null) clearTimeout(timer);
  }
}
