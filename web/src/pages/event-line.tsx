/** One event, as a sentence. */
import type { BoardEvent } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { minute, now } from '../state/clock.ts';
import { ago, dateTime, secondsSince } from '../state/format.ts';
import { cardPath, Link } from '../state/router.tsx';

type Tone = 'good' | 'bad' | 'warn' | 'lit' | 'plain';

const WORDS: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  'card.created': ['created', 'plain'],
  'card.updated': ['edited', 'plain'],
  'card.moved': ['moved', 'plain'],
  'card.ready': ['is ready', 'plain'],
  'card.deleted': ['deleted', 'bad'],
  'card.archived': ['archived', 'plain'],
  'card.unarchived': ['took out of the archive', 'plain'],
  'card.assigned': ['assigned', 'plain'],
  'card.reprioritized': ['gave another priority', 'plain'],
  'card.linked': ['linked', 'plain'],
  'card.unlinked': ['unlinked', 'plain'],
  'card.commented': ['commented on', 'plain'],
  'card.attached': ['attached a file to', 'plain'],
  'card.held': ['put on hold', 'warn'],
  'card.unheld': ['let go', 'plain'],
  'card.blocked': ['blocked', 'warn'],
  'card.unblocked': ['unblocked', 'plain'],
  'card.dependency_wait': ['waits for other cards', 'plain'],
  'card.block_loop_detected': ['is blocked again and again', 'warn'],
  'card.cancel_requested': ['asked to stop', 'warn'],
  'card.redriven': ['redrove', 'plain'],
  'card.reopened': ['reopened', 'plain'],
  'card.review_requested': ['asks for a review of', 'lit'],
  'card.changes_requested': ['requested changes to', 'warn'],
  'card.lease.claimed': ['claimed', 'lit'],
  'card.lease.completed': ['completed', 'good'],
  'card.lease.failed': ['failed', 'warn'],
  'card.lease.released': ['gave back', 'plain'],
  'card.lease.expired': ['went quiet; its lease ran out on', 'warn'],
  'card.lease.resumed': ['resumed', 'lit'],
  'card.lease.taken_over': ['took over', 'warn'],
  'card.lease.timed_out': ['took too long with', 'warn'],
  'card.lease.revoked': ['lost its lease on', 'warn'],
  'card.lease.deadlettered': ['dead-lettered', 'bad'],
  'board.updated': ['changed the board', 'plain'],
  'board.archived': ['archived the board', 'bad'],
  'column.created': ['made the column', 'plain'],
  'column.updated': ['changed the column', 'plain'],
  'column.deleted': ['removed the column', 'bad'],
  'column.contract.updated': ['changed the contract of', 'plain'],
  'column.paused': ['paused', 'warn'],
  'column.resumed': ['resumed', 'plain'],
  'webhook.failing': ['a webhook is failing', 'warn'],
  'webhook.disabled': ['a webhook was switched off', 'bad'],
};

interface EventLineProps {
  readonly event: BoardEvent;
  readonly withCard: boolean;
}

export function EventLine({ event, withCard }: EventLineProps) {
  const { store } = useBoard();
  const [words, tone] = WORDS[event.type] ?? [event.type, 'plain'];
  const { card, run, column, reason } = event.data;
  const detail = run?.error ?? run?.summary ?? card?.block?.reason ?? reason;
  return (
    <li class={`event event-${tone}`}>
      <span class="event-dot" aria-hidden="true" />
      <div>
        <p>
          <strong>{whoOf(event)}</strong> {words}{' '}
          {withCard && card !== null ? (
            <Link to={cardPath(store.slug, card.id)}>
              {card.key} {card.title}
            </Link>
          ) : null}
          {card === null && column !== null ? <strong>{column.name}</strong> : null}
        </p>
        {detail === null || detail === undefined ? null : <p class="event-detail">{detail}</p>}
      </div>
      <time dateTime={event.timestamp} title={dateTime(event.timestamp)}>
        <Age at={event.timestamp} />
      </time>
    </li>
  );
}

/** Seconds: of what is older nobody reads them, and a long list is not drawn anew for them. */
const RECENT = 600;

function Age({ at }: { readonly at: string }) {
  const recent = secondsSince(at, now.peek()) < RECENT;
  return <>{ago(at, recent ? now.value : minute.value)}</>;
}

/** Of a lease that ended by itself it is the worker who is told of, though the system noticed. */
function whoOf(event: BoardEvent): string {
  const { lease, run } = event.data;
  if (event.actor.type === 'system') return run?.agent ?? lease?.agent ?? 'Leaseboard';
  return event.actor.id;
}
