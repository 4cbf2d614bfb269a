/** Reading a board's feed from a place in it, strongly: a page that is there is seen, so none is ever skipped. */
import * as z from 'zod';
import { makeCursor, readCursor } from '../cursor.ts';
import { FEED_OVERLAP_MS, FEED_PAGES_PER_READ } from '../policy.ts';
import { FeedPageSchema, type FeedPage } from '../store/event-items.ts';
import { feedPageKey, feedPageNumber, feedPk } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { parseFeedEntry, type FeedEntry } from './feed-entry.ts';
import { newestPage } from './feed-pages.ts';

/** The next entry to read: page and place on it. Pages count from 1; page 0 is before the oldest that is kept. */
export type FeedPosition = readonly [page: number, offset: number];

const Position = z.tuple([z.int().min(0), z.int().min(0)]);

export const OLDEST: FeedPosition = [0, 0];

/** Pages per query: 1 MB of them is an answer of DynamoDB, and 10 are 50 KB. */
const QUERY_PAGES = 10;

export interface FedEntry extends FeedEntry {
  /** When its page was put, in ms. */
  readonly fedAt: number;
}

export interface FeedReading {
  readonly entries: readonly FedEntry[];
  readonly next: FeedPosition;
  /** Pages between the place asked for and the first found have expired: events may have been missed. */
  readonly expired: boolean;
}

/** Forwards from the oldest, or back from the newest. */
export type FeedOrder = 'oldest' | 'newest';

const listOf = (boardId: string, order: FeedOrder): string =>
  order === 'oldest' ? `events ${boardId}` : `events ${order} ${boardId}`;

/** Good for this board and order only. Not signed: it is kept for weeks, and outlives any key. */
export function makeFeedCursor(boardId: string, position: FeedPosition, order: FeedOrder = 'oldest'): string {
  return makeCursor(listOf(boardId, order), position);
}

/** @throws Problem `invalid_cursor`. */
export function readFeedCursor(boardId: string, cursor: string, order: FeedOrder = 'oldest'): FeedPosition {
  return readCursor(listOf(boardId, order), cursor, Position);
}

/** Up to `limit` entries that `wants` takes. Ends short after so many pages; its `next` then goes on. */
export async function readFeed(
  store: Store,
  boardId: string,
  from: FeedPosition,
  limit: number,
  wants: (entry: FeedEntry) => boolean,
): Promise<FeedReading> {
  const entries: FedEntry[] = [];
  let next = from;
  let expired = false;
  for await (const page of pagesFrom(store, boardId, from)) {
    const number = feedPageNumber(page);
    expired ||= next === from && from[0] > 0 && number > from[0];
    for (let at = number === from[0] ? from[1] : 0; at < page.events.length; at += 1) {
      if (entries.length === limit) return { entries, next: [number, at], expired };
      const entry = parseFeedEntry(page.events[at] ?? '');
      if (wants(entry)) entries.push({ ...entry, fedAt: page.at });
    }
    next = [number + 1, 0];
  }
  return { entries, next, expired };
}

async function* pagesFrom(store: Store, boardId: string, [page]: FeedPosition): AsyncGenerator<FeedPage> {
  let start: Record<string, unknown> | undefined = { ...feedPageKey(boardId, Math.max(0, page - 1)) };
  for (let read = 0; start !== undefined && read < FEED_PAGES_PER_READ; read += QUERY_PAGES) {
    const found = await store.query({
      pk: { name: 'pk', value: feedPk(boardId) },
      limit: QUERY_PAGES,
      consistent: true,
      start,
    });
    yield* found.items.map((item) => FeedPageSchema.parse(item));
    start = found.next;
  }
}

/**
 * Up to `limit` entries before a place, the newest first; from the newest of all without one. At the oldest that is
 * kept `next` is the place that was asked for. Pages are put once and in order, so nothing appears among these later.
 */
export async function readFeedBack(
  store: Store,
  boardId: string,
  from: FeedPosition | null,
  limit: number,
  wants: (entry: FeedEntry) => boolean,
): Promise<FeedReading> {
  const entries: FedEntry[] = [];
  let next = from ?? OLDEST;
  for await (const page of pagesBack(store, boardId, from)) {
    const number = feedPageNumber(page);
    const end = number === from?.[0] ? from[1] : page.events.length;
    for (let at = Math.min(end, page.events.length) - 1; at >= 0; at -= 1) {
      if (entries.length === limit) return { entries, next: [number, at + 1], expired: false };
      const entry = parseFeedEntry(page.events[at] ?? '');
      if (wants(entry)) entries.push({ ...entry, fedAt: page.at });
    }
    next = [number, 0];
  }
  return { entries, next, expired: false };
}

async function* pagesBack(
  store: Store,
  boardId: string,
  from: FeedPosition | null,
): AsyncGenerator<FeedPage> {
  let start: Record<string, unknown> | undefined =
    from === null ? undefined : { ...feedPageKey(boardId, from[0] + 1) };
  for (let read = 0; read < FEED_PAGES_PER_READ; read += QUERY_PAGES) {
    const found = await store.query({
      pk: { name: 'pk', value: feedPk(boardId) },
      reverse: true,
      limit: QUERY_PAGES,
      consistent: true,
      ...(start === undefined ? {} : { start }),
    });
    yield* found.items.map((item) => FeedPageSchema.parse(item));
    start = found.next;
    if (start === undefined) return;
  }
}

/**
 * A place at least half a minute back: whoever takes it, then reads the cards, then follows the feed from it misses
 * nothing. Found in steps of 1, 2, 4 ... pages back, so it may lie up to twice as far back as it need.
 */
export async function recentPosition(store: Store, boardId: string, now: number): Promise<FeedPosition> {
  const until = now - FEED_OVERLAP_MS;
  let page = await newestPage(store, boardId);
  for (let step = 1; page !== undefined; step *= 2) {
    const number = feedPageNumber(page);
    if (page.at <= until) return [number + 1, 0];
    const item = number > step ? await store.get(feedPageKey(boardId, number - step)) : undefined;
    page = item === undefined ? undefined : FeedPageSchema.parse(item);
  }
  return OLDEST;
}
