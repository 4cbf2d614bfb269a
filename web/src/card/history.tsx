/** Everything that happened to a card, the newest first. */
import type { Card } from '../../../client/types.ts';
import { EventList } from '../pages/event-list.tsx';
import { api } from '../state/session.ts';
import { useTimeline, type Stretch } from '../state/timeline.ts';
import { Loading } from '../ui/states.tsx';

const PAGE = 100;

export function History({ card }: { readonly card: Card }) {
  const key = `${card.id} ${card.fence} ${card.rev} ${card.state}`;
  const timeline = useTimeline(key, async (from) => readBack(card.id, from));
  if (timeline.events === null && timeline.busy) return <Loading what="its history" />;
  return <EventList timeline={timeline} label="History" withCard={false} />;
}

async function readBack(card: string, from: string | null): Promise<Stretch> {
  const cursor = from === null ? {} : { cursor: from };
  const { items, next_cursor } = await api().cards.events(card, { order: 'newest', limit: PAGE, ...cursor });
  return { items, next: next_cursor };
}
