/** Events as a list, with the way back to older ones below it. */
import { useRef } from 'preact/hooks';
import type { BoardEvent } from '../../../client/types.ts';
import { dateTime, plural } from '../state/format.ts';
import { announce } from '../state/notices.ts';
import type { Timeline } from '../state/timeline.ts';
import { Button } from '../ui/button.tsx';
import { Failed } from '../ui/states.tsx';
import { EventLine } from './event-line.tsx';

interface EventListProps {
  readonly timeline: Timeline;
  readonly label: string;
  readonly withCard: boolean;
  /** Those to show; left out: all. */
  readonly wanted?: (event: BoardEvent) => boolean;
}

export function EventList({ timeline, label, withCard, wanted = () => true }: EventListProps) {
  const events = timeline.events ?? [];
  return (
    <>
      <ol class="activity" aria-label={label}>
        {events.filter(wanted).map((event) => (
          <EventLine key={event.id} event={event} withCard={withCard} />
        ))}
      </ol>
      {timeline.error === null ? null : <Failed error={timeline.error} retry={timeline.reload} />}
      <WayBack timeline={timeline} wanted={wanted} />
    </>
  );
}

function WayBack({ timeline, wanted }: Required<Pick<EventListProps, 'timeline' | 'wanted'>>) {
  const end = useRef<HTMLParagraphElement>(null);
  const oldest = timeline.events?.at(-1);
  if (oldest === undefined) return null;
  const back = async (): Promise<void> => {
    const came = await timeline.older(wanted);
    announce(came === 0 ? 'No older events' : plural(came, 'older event'));
    // The button that was pressed may be gone with the last page.
    requestAnimationFrame(() => end.current?.focus());
  };
  const since = dateTime(oldest.timestamp);
  return timeline.whole ? (
    <p class="faint" ref={end} tabIndex={-1}>
      That is everything that is kept, since {since}.
    </p>
  ) : (
    <p class="way-back">
      <Button disabled={timeline.busy} onClick={() => void back()}>
        Older events
      </Button>
      <span class="faint">Shown back to {since}</span>
    </p>
  );
}
