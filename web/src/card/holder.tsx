/** Who has the card now, or who had it last without coming to an end. */
import type { Card } from '../../../client/types.ts';
import { Progress } from '../board/tile-state.tsx';
import type { Status } from '../board/status.ts';
import { now } from '../state/clock.ts';
import { ago, duration, secondsSince } from '../state/format.ts';
import { Avatar } from '../ui/avatar.tsx';

export function Holder({ card, status }: { readonly card: Card; readonly status: Status }) {
  if (card.lease !== null) return <Held card={card} lost={status === 'lost'} />;
  if (card.abandoned_by === null) return null;
  const { agent, attempt, at, checkpoint } = card.abandoned_by;
  return (
    <section class="holder holder-past" aria-label="Abandoned by">
      <p>
        <strong>{agent}</strong> left it at attempt {attempt}, {ago(at, now.value)}.
      </p>
      {checkpoint === null ? null : <blockquote>{checkpoint}</blockquote>}
    </section>
  );
}

function Held({ card, lost }: { readonly card: Card; readonly lost: boolean }) {
  const { lease } = card;
  if (lease === null) return null;
  const left = (Date.parse(lease.expires_at) - now.value) / 1_000;
  return (
    <section class={lost ? 'holder holder-lost' : 'holder'} aria-label="Holder">
      <div class="working-line">
        <Avatar name={lease.agent} />
        <strong>{lease.agent}</strong>
        <span class="spring" />
        <span>{lost ? `lease over since ${duration(-left)}` : `${duration(left)} left`}</span>
      </div>
      <Progress value={lease.progress} note={lease.note} />
      <dl class="facts facts-inline">
        <div>
          <dt>Attempt</dt>
          <dd>{lease.attempt}</dd>
        </div>
        <div>
          <dt>At work for</dt>
          <dd>{duration(secondsSince(lease.claimed_at, now.value))}</dd>
        </div>
        <div>
          <dt>Last heartbeat</dt>
          <dd>{ago(lease.heartbeat_at ?? lease.claimed_at, now.value)}</dd>
        </div>
      </dl>
      {card.cancel_requested === null ? null : (
        <p class="why-blocked">
          {card.cancel_requested.by} asked it to stop: {card.cancel_requested.reason}
        </p>
      )}
    </section>
  );
}
