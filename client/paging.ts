/** Walking a list to its end. */
import type { Page } from './types.ts';

/**
 * Every item of a list, a page at a time: `everyItem((cursor) => client.cards.list('demo', { ...cursor }))`.
 * A short or empty page is not the end; only a null cursor is.
 */
export async function* everyItem<Item>(
  fetchPage: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, void> {
  let next: string | null | undefined;
  do {
    const page = await fetchPage(next === undefined || next === null ? {} : { cursor: next });
    yield* page.items;
    next = page.next_cursor;
  } while (next !== null);
}
