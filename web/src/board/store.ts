/**
 * One board as the page knows it: columns, cards, what has happened. News comes in from lists, events and answers;
 * what a person does is shown at once and taken back when the server refuses.
 */
import { batch, signal, type Signal } from '@preact/signals';
import type { LeaseboardClient } from '../../../client/client.ts';
import type {
  BoardDetail,
  BoardEvent,
  Card,
  CardSummary,
  ColumnDetail,
  Lease,
} from '../../../client/types.ts';
import { serverNow } from '../state/clock.ts';
import { tellError } from '../state/notices.ts';
import { rankBetween } from './arrange.ts';
import { loadColumn, loadColumns, type LoadedPage } from './load.ts';
import { cardOfEvent, isNewer, summaryOf, type Cards, type Placed } from './placed.ts';

/** What the activity view remembers. */
const REMEMBERED_EVENTS = 500;
/** Apart far enough that halving between two finds room as often as a person drags. */
const RANK_STEP = 1_024;

export class BoardStore {
  readonly board: Signal<BoardDetail | null> = signal(null);
  readonly cards: Signal<Cards> = signal(new Map());
  readonly events: Signal<readonly BoardEvent[]> = signal([]);
  /** Columns whose cards have been read. */
  readonly loaded: Signal<ReadonlyMap<string, { readonly whole: boolean }>> = signal(new Map());
  /** Cards that an event has just changed, by what it was. */
  readonly fresh: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly selected: Signal<ReadonlySet<string>> = signal(new Set());
  readonly client: LeaseboardClient;
  readonly slug: string;
  /** Is told of news before it shows, and answers what is to be done once it does: cards that glide. */
  beforeNews: (events: readonly BoardEvent[]) => () => void = () => () => {};
  #highestRank = 0;
  /** Changes of people on their way: what the feed says of such a card meanwhile is older than what is shown. */
  readonly #pending = new Map<string, number>();

  constructor(client: LeaseboardClient, slug: string) {
    this.client = client;
    this.slug = slug;
  }

  /** @returns where the feed has to be followed from. @throws LeaseboardError */
  async load(archived: boolean): Promise<string> {
    const board = await this.client.boards.get(this.slug);
    batch(() => {
      this.board.value = board;
      this.loaded.value = new Map();
    });
    const seen = new Set<string>();
    await loadColumns(this.client, board.id, board.columns, archived, (page) => {
      for (const card of page.cards) seen.add(card.id);
      this.#take(page);
    });
    // What no list had is gone: deleted or archived while nobody looked.
    const kept = [...this.cards.value].filter(([id]) => seen.has(id));
    if (kept.length !== this.cards.value.size) this.cards.value = new Map(kept);
    return board.events_cursor;
  }

  /** Counts, pauses and contracts as they are now; cards stay. */
  async refreshBoard(): Promise<void> {
    this.board.value = await this.client.boards.get(this.slug);
  }

  /** Whether the cards of every column have been read: before, that none is found says nothing. */
  get isRead(): boolean {
    const columns = this.board.value?.columns;
    return columns !== undefined && columns.every(({ id }) => this.loaded.value.has(id));
  }

  async reloadColumn(columnId: string): Promise<void> {
    const column = this.column(columnId);
    if (column !== null) await loadColumn(this.client, this.slug, column, false, (page) => this.#take(page));
  }

  #take({ column, cards, from, end }: LoadedPage): void {
    const next = new Map(this.cards.value);
    for (const [index, card] of cards.entries()) {
      const known = next.get(card.id);
      const rank = (from + index) * RANK_STEP;
      this.#highestRank = Math.max(this.#highestRank, rank);
      const newest = known === undefined || isNewer(known.card, card) ? card : known.card;
      next.set(card.id, { card: newest, rank, sequence: known?.sequence ?? 0 });
    }
    batch(() => {
      this.cards.value = next;
      if (end !== 'more') {
        this.loaded.value = new Map(this.loaded.value).set(column.id, { whole: end === 'whole' });
      }
    });
  }

  column(id: string): ColumnDetail | null {
    return this.board.value?.columns.find((column) => column.id === id) ?? null;
  }

  card(id: string): CardSummary | null {
    return this.cards.value.get(id)?.card ?? null;
  }

  /** Most attempts that a card may take, by its own setting or its column's. */
  mostAttempts(card: CardSummary): number {
    return card.max_attempts ?? this.column(card.column_id)?.contract.max_attempts ?? 1;
  }

  /** Merges events; answers those that were news, in their order. */
  takeEvents(events: readonly BoardEvent[]): readonly BoardEvent[] {
    const next = new Map(this.cards.value);
    const fresh = new Map<string, string>();
    const known = new Set(this.events.value.map(({ id }) => id));
    const unseen = events.filter(({ id }) => !known.has(id));
    const news = unseen.filter((event) => this.#apply(next, event, fresh));
    if (unseen.length === 0) return [];
    const afterwards = this.beforeNews(news);
    batch(() => {
      if (news.length > 0) {
        this.cards.value = next;
        this.fresh.value = fresh;
      }
      this.events.value = [...this.events.value, ...unseen].slice(-REMEMBERED_EVENTS);
    });
    requestAnimationFrame(afterwards);
    return news;
  }

  #apply(cards: Map<string, Placed>, event: BoardEvent, fresh: Map<string, string>): boolean {
    if (event.card_id === null) return true;
    if (event.type === 'card.deleted') return cards.delete(event.card_id);
    const known = cards.get(event.card_id);
    const card = cardOfEvent(event, known);
    if (card === null || this.#pending.has(event.card_id)) return false;
    const stays = known !== undefined && known.card.column_id === card.column_id;
    const rank = stays && event.type !== 'card.redriven' ? known.rank : this.#bottom();
    cards.set(card.id, { card: keepDetail(card, known?.card), rank, sequence: event.sequence });
    fresh.set(card.id, event.type);
    return true;
  }

  #bottom(): number {
    this.#highestRank += RANK_STEP;
    return this.#highestRank;
  }

  /** Progress, notes and deadlines of what is held: renewals make no events. */
  takeLeases(leases: readonly Lease[]): void {
    const next = new Map(this.cards.value);
    let changed = false;
    for (const lease of leases) {
      const known = next.get(lease.card_id);
      if (known?.card.lease?.id !== lease.id || lease.expires_at === null) continue;
      const { expires_at, heartbeat_at, progress, note } = lease;
      const expired = Date.parse(expires_at) <= serverNow();
      const shown = { ...known.card.lease, expires_at, heartbeat_at, progress, note, expired };
      next.set(lease.card_id, { ...known, card: { ...known.card, lease: shown } });
      changed = true;
    }
    if (changed) this.cards.value = next;
  }

  /** What a verb answered. */
  takeAnswer(card: Card): void {
    const known = this.cards.value.get(card.id);
    const summary = summaryOf(card);
    const rank = known?.rank ?? this.#bottom();
    this.#put({ card: summary, rank, sequence: known?.sequence ?? 0 });
  }

  #put(placed: Placed): void {
    this.cards.value = new Map(this.cards.value).set(placed.card.id, placed);
  }

  drop(cardId: string): void {
    const next = new Map(this.cards.value);
    if (next.delete(cardId)) this.cards.value = next;
  }

  /**
   * Shows `guess` at once, then does what the person asked for. A refusal puts the card back and says why.
   *
   * @param rank Where it stands meanwhile, when it moves.
   * @returns the server's answer, or null when it refused.
   */
  async act(
    cardId: string,
    what: string,
    guess: Partial<CardSummary>,
    call: () => Promise<Card | void>,
    rank?: number,
  ): Promise<Card | null> {
    const before = this.cards.value.get(cardId);
    if (before !== undefined)
      this.#put({ ...before, card: { ...before.card, ...guess }, rank: rank ?? before.rank });
    this.#pending.set(cardId, (this.#pending.get(cardId) ?? 0) + 1);
    try {
      const answer = await call();
      if (answer !== undefined) this.takeAnswer(answer);
      return answer ?? null;
    } catch (error) {
      if (before !== undefined) this.#put(before);
      tellError(what, error);
      return null;
    } finally {
      const left = (this.#pending.get(cardId) ?? 1) - 1;
      if (left === 0) this.#pending.delete(cardId);
      else this.#pending.set(cardId, left);
    }
  }

  /** Rank of a place beside `other` among the cards of a column; at the bottom without one. */
  rankBeside(order: readonly CardSummary[], other: string | null, side: 'before' | 'after'): number {
    const at = order.findIndex(({ id }) => id === other);
    if (at === -1) return this.#bottom();
    const rank = (index: number): number | undefined => {
      const id = order[index]?.id;
      return id === undefined ? undefined : this.cards.value.get(id)?.rank;
    };
    return side === 'before' ? rankBetween(rank(at - 1), rank(at)) : rankBetween(rank(at), rank(at + 1));
  }

  toggleSelected(cardId: string, on: boolean): void {
    const next = new Set(this.selected.value);
    if (on) next.add(cardId);
    else next.delete(cardId);
    this.selected.value = next;
  }
}

/** Lists and events count no open parents one by one; what a whole card told is kept until it waits no more. */
function keepDetail(card: CardSummary, known: CardSummary | undefined): CardSummary {
  if (known === undefined || card.waiting_on !== known.waiting_on || card.waiting_detail !== null)
    return card;
  return { ...card, waiting_detail: known.waiting_detail };
}
