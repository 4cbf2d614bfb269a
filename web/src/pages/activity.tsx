/** Everything that happens on the board, as it happens. */
import { useState } from 'preact/hooks';
import type { BoardEvent } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Empty, Loading } from '../ui/states.tsx';
import { EventLine } from './event-line.tsx';

const PAGE = 100;
/** The feed is read from its oldest end; what a longer one holds stands in the histories of its cards. */
const MOST_PAGES = 10;
const SHOWN = 200;

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
  const { store } = useBoard();
  const [kind, setKind] = useState<Kind>('all');
  const { value: past, loading } = useResource(store.slug, async () => pastOf(store.slug));
  const events = merged(past ?? [], store.events.value).filter((event) => fits(event, kind));
  return (
    <div class="list-page">
      <div class="segments" role="group" aria-label="Which events">
        {KINDS.map(([value, label]) => (
          <button key={value} type="button" aria-pressed={kind === value} onClick={() => setKind(value)}>
            {label}
          </button>
        ))}
      </div>
      {loading && events.length === 0 ? <Loading what="activity" /> : null}
      {!loading && events.length === 0 ? (
        <Empty icon="list" title="Nothing here yet">
          <p>Each claim, completion, failure and change will show here within two seconds.</p>
        </Empty>
      ) : null}
      <ol class="activity" aria-label="Activity">
        {events.slice(0, SHOWN).map((event) => (
          <EventLine key={event.id} event={event} withCard />
        ))}
      </ol>
    </div>
  );
}

/** The newest first, each once. */
function merged(past: readonly BoardEvent[], live: readonly BoardEvent[]): readonly BoardEvent[] {
  const byId = new Map([...past, ...live].map((event) => [event.id, event]));
  return [...byId.values()].toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
}

function fits(event: BoardEvent, kind: Kind): boolean {
  if (kind === 'trouble') return TROUBLE.test(event.type);
  if (kind === 'work') return event.type.startsWith('card.lease.');
  return kind === 'all' || event.actor.type === 'person';
}

/** What happened before this page was opened, where it is little enough to read; else only the last half minute. */
async function pastOf(slug: string): Promise<readonly BoardEvent[]> {
  const events: BoardEvent[] = [];
  let since: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await api().events.list(slug, { limit: PAGE, ...(since === undefined ? {} : { since }) });
    events.push(...answer.items);
    since = answer.next_cursor;
    if (answer.items.length === 0) return events;
  }
  return [];
}
