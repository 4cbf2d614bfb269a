/** Everything that happened to a card, the newest first. */
import type { BoardEvent, Card } from '../../../client/types.ts';
import { everyItem } from '../../../client/paging.ts';
import { EventLine } from '../pages/event-line.tsx';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Failed, Loading } from '../ui/states.tsx';

/** A card with more events than this has a story for its runs, not for a list. */
const MOST = 500;
const PAGE = 100;

export function History({ card }: { readonly card: Card }) {
  const key = `${card.id} ${card.fence} ${card.rev} ${card.state}`;
  const { value, error, reload } = useResource(key, async () => eventsOf(card.id));
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="its history" />;
  return (
    <ol class="activity">
      {value.toReversed().map((event) => (
        <EventLine key={event.id} event={event} withCard={false} />
      ))}
    </ol>
  );
}

async function eventsOf(card: string): Promise<readonly BoardEvent[]> {
  const events: BoardEvent[] = [];
  for await (const event of everyItem((cursor) => api().cards.events(card, { limit: PAGE, ...cursor }))) {
    events.push(event);
    if (events.length >= MOST) break;
  }
  return events;
}
