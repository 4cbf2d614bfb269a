/** Waiting until a soak's events are all there: the feed tells of the end of every card that was made. */
import type { LeaseboardClient } from '../../client/index.ts';

/** Beyond it events are lost rather than late. */
const LIMIT_MS = 900_000;
const PAGE = 100;
/** Of one question: it is answered as soon as there is an event. */
const WAIT_SECONDS = 5;
const ENDS = ['card.lease.completed', 'card.lease.deadlettered'] as const;

/**
 * True once the feed has told of the end of `cards` cards; false when it did not in time. In the feed a card's end
 * comes behind all else of it, so then its log is complete.
 *
 * @param onProgress Told how many ends have come.
 */
export async function eventsSettled(
  client: LeaseboardClient,
  board: string,
  cards: number,
  onProgress: (ended: number) => void,
): Promise<boolean> {
  const until = Date.now() + LIMIT_MS;
  const ended = new Set<string>();
  let since: string | undefined;
  while (ended.size < cards) {
    if (Date.now() > until) return false;
    const place = since === undefined ? {} : { since };
    const query = { limit: PAGE, types: ENDS, wait_seconds: WAIT_SECONDS, ...place };
    const page = await client.events.list(board, query, { retries: 100 });
    for (const event of page.items) if (event.card_id !== null) ended.add(event.card_id);
    onProgress(ended.size);
    since = page.next_cursor;
  }
  return true;
}
