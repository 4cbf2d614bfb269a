/** Everything that happens on the board, as it happens, and what happened before. */
import { useEffect, useState } from 'preact/hooks';
import type { BoardEvent } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { api, may } from '../state/session.ts';
import { useTimeline, type Stretch } from '../state/timeline.ts';
import { Empty, Loading } from '../ui/states.tsx';
import { EventList } from './event-list.tsx';

const PAGE = 100;

const KINDS = [
  ['all', 'Everything'],
  ['trouble', 'Trouble'],
  ['work', 'Work'],
  ['people', 'People'],
] as const;
type Kind = (typeof KINDS)[number][0];

const TROUBLE =
  /blocked|block_loop|failed|expired|timed_out|revoked|deadlettered|failing|disabled|cancel_requested|changes_requested/;

export function ActivityPage() {
  const { live } = useBoard();
  if (!may('member')) {
    return (
      <Empty icon="list" title="This token may not follow the board">
        <p>What has happened to a card is in its history.</p>
      </Empty>
    );
  }
  // A board that was read anew has missed events: what is shown of them begins anew too.
  return <Activity key={live.reading.value} />;
}

function Activity() {
  const { store } = useBoard();
  const [kind, setKind] = useState<Kind>('all');
  const timeline = useTimeline(store.slug, async (from) => readBack(store.slug, from));
  const news = store.events.value;
  useEffect(() => timeline.absorb(news), [news, timeline.events === null]);
  const wanted = (event: BoardEvent): boolean => fits(event, kind);
  return (
    <div class="list-page">
      <div class="segments" role="group" aria-label="Which events">
        {KINDS.map(([value, label]) => (
          <button key={value} type="button" aria-pressed={kind === value} onClick={() => setKind(value)}>
            {label}
          </button>
        ))}
      </div>
      {timeline.events === null && timeline.busy ? <Loading what="activity" /> : null}
      {timeline.events?.some(wanted) === false ? (
        <Empty icon="list" title="Nothing here yet">
          <p>Each claim, completion, failure and change will show here within two seconds.</p>
        </Empty>
      ) : null}
      <EventList timeline={timeline} label="Activity" withCard wanted={wanted} />
    </div>
  );
}

function fits(event: BoardEvent, kind: Kind): boolean {
  if (kind === 'trouble') return TROUBLE.test(event.type);
  if (kind === 'work') return event.type.startsWith('card.lease.');
  return kind === 'all' || event.actor.type === 'person';
}

/** A page may be short while there is more: read on until it is worth a click. */
async function readBack(slug: string, from: string | null): Promise<Stretch> {
  const items: BoardEvent[] = [];
  let cursor = from;
  do {
    const since = cursor === null ? {} : { since: cursor };
    const answer = await api().events.list(slug, { order: 'newest', limit: PAGE, ...since });
    items.push(...answer.items);
    // The same place again: nothing older is kept.
    if (answer.next_cursor === cursor) return { items, next: null };
    cursor = answer.next_cursor;
  } while (items.length < PAGE);
  return { items, next: cursor };
}
