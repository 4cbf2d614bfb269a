/** A board's cards, newest first, as the index by age has them; a search looks at title and key there. */
import * as z from 'zod';
import type { Engine } from '../engine.ts';
import { SEARCH_DEPTH } from '../policy.ts';
import { cardKey } from '../store/keys.ts';
import { BY_BOARD_INDEX } from '../store/table.ts';
import type { Entries } from './list-page.ts';

/** `depth`: entries that the list has looked at by then, its search's bound. */
export const AgePosition = z.object({ pk: z.string(), created: z.string(), depth: z.number() });
export type AgePosition = z.infer<typeof AgePosition>;

const AgeEntry = z.object({ pk: z.string(), created: z.string(), title: z.string(), key: z.string() });

/** Entries of one query of a search: two of them reach its depth for titles of usual length. */
const SEARCH_PAGE = 1_000;

export async function* entriesByAge(
  engine: Engine,
  boardId: string,
  pageSize: number,
  from: AgePosition | undefined,
  q: string | undefined,
): Entries<AgePosition> {
  const words = wordsOf(q);
  let position = from;
  let more = true;
  while (more) {
    const left = q === undefined ? pageSize : Math.min(SEARCH_PAGE, SEARCH_DEPTH - (position?.depth ?? 0));
    if (left <= 0) return;
    const { items, next } = await engine.store.query({
      index: BY_BOARD_INDEX,
      pk: { name: 'board', value: boardId },
      reverse: true,
      limit: left,
      ...(position === undefined ? {} : { start: startAt(boardId, position) }),
    });
    const depth = position?.depth ?? 0;
    const found = items.flatMap((item, at) => {
      const entry = AgeEntry.safeParse(item);
      if (!entry.success) return [];
      const { pk, created } = entry.data;
      return [{ entry: entry.data, pk, position: { pk, created, depth: depth + at + 1 } }];
    });
    position = found.at(-1)?.position;
    more = next !== undefined && position !== undefined;
    yield found.filter(({ entry }) => matches(entry, words));
  }
}

const startAt = (board: string, { pk, created }: AgePosition) => ({ ...cardKey(pk), board, created });

const wordsOf = (q: string | undefined): string[] => (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);

/** Every word is somewhere in the title or the key. */
function matches(entry: { title: string; key: string }, words: readonly string[]): boolean {
  const text = `${entry.key} ${entry.title}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
