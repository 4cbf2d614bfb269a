/** The rows of a column: its cards, or its cards in groups by who has them or whom they are for. Pure. */
import type { CardSummary } from '../../../client/types.ts';

export type Row =
  | { readonly kind: 'card'; readonly card: CardSummary }
  | { readonly kind: 'lane'; readonly name: string; readonly count: number };

const NOBODY = 'Unassigned';

export function laneRows(cards: readonly CardSummary[], grouped: boolean): readonly Row[] {
  if (!grouped) return cards.map((card) => ({ kind: 'card', card }));
  const lanes = new Map<string, CardSummary[]>();
  for (const card of cards) {
    const name = card.lease?.agent ?? card.assignee ?? NOBODY;
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [card]);
    else lane.push(card);
  }
  // Nobody's come last: they are the pool, the others are somebody's.
  const names = [...lanes.keys()].toSorted(
    (a, b) => Number(a === NOBODY) - Number(b === NOBODY) || a.localeCompare(b, undefined, { numeric: true }),
  );
  return names.flatMap((name): Row[] => {
    const lane = lanes.get(name) ?? [];
    return [{ kind: 'lane', name, count: lane.length }, ...lane.map((card): Row => ({ kind: 'card', card }))];
  });
}
