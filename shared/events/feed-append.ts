/** The feed's part of a fan-out: a board's events onto pages, each once as far as that can be told. */
import { FEED_PAGE_EVENTS, FEED_SEARCH_PAGES } from '../policy.ts';
import { FeedPageSchema } from '../store/event-items.ts';
import { feedPageKey, feedPk } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { entryEventId, makeFeedEntry, parseFeedEntry } from './feed-entry.ts';
import type { FeedWriter } from './feed-pages.ts';
import type { OutgoingEvent } from './log.ts';

const SEARCH_PAGE = 100;

/**
 * Feeds the events of one board, in their order. An event is fed once it is on a page: of a redelivered one that
 * is looked up, so that a crash between row and page never skips it, and one after the page does not repeat it.
 */
export async function feedEvents(
  store: Store,
  writer: FeedWriter,
  boardId: string,
  events: readonly OutgoingEvent[],
): Promise<void> {
  const fed = await fedAmong(
    store,
    boardId,
    events.filter(({ again }) => again),
  );
  const entries = events.filter(({ id }) => !fed.has(id)).map(makeFeedEntry);
  for (let at = 0; at < entries.length; at += FEED_PAGE_EVENTS) {
    await writer.append(boardId, entries.slice(at, at + FEED_PAGE_EVENTS));
  }
}

/**
 * Ids of those that are on a page already. A row says which page was the last when it was made: the event's own
 * comes behind that one. Far back the search ends, and an event may come twice, with the same id.
 */
async function fedAmong(
  store: Store,
  boardId: string,
  events: readonly OutgoingEvent[],
): Promise<Set<string>> {
  const wanted = new Set(events.map(({ id }) => id));
  const fed = new Set<string>();
  let start: Record<string, unknown> | undefined = {
    ...feedPageKey(boardId, Math.min(...events.map(({ afterPage }) => afterPage))),
  };
  for (let pages = 0; fed.size < wanted.size && start !== undefined && pages < FEED_SEARCH_PAGES;) {
    const found = await store.query({
      pk: { name: 'pk', value: feedPk(boardId) },
      consistent: true,
      limit: SEARCH_PAGE,
      start,
    });
    for (const item of found.items) {
      for (const entry of FeedPageSchema.parse(item).events) {
        const id = entryEventId(parseFeedEntry(entry));
        if (wanted.has(id)) fed.add(id);
      }
    }
    pages += found.items.length;
    start = found.next;
  }
  return fed;
}
