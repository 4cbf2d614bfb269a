/** The middle of a tile: who works on it and how it goes, or why nobody does. */
import type { CardSummary } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { duration, secondsSince, shortAge } from '../state/format.ts';
import { may } from '../state/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ring } from '../ui/ring.tsx';
import { redrive } from './actions.ts';
import { useBoard } from './context.ts';
import type { Status } from './status.ts';

interface TileStateProps {
  readonly card: CardSummary;
  readonly status: Status;
  readonly sentence: string;
  readonly most: number;
}

export function TileState({ card, status, sentence, most }: TileStateProps) {
  if (status === 'working') return <Working card={card} most={most} />;
  if (status === 'dead') return <Dead card={card} sentence={sentence} />;
  return (
    <>
      {sentence === '' ? null : <p class={`tile-why why-${status}`}>{sentence}</p>}
      {status === 'ready' || status === 'waiting' ? <CameBack card={card} /> : null}
    </>
  );
}

/** Under this part of its time a lease is worth a look. */
const LOW = 0.25;

function Working({ card, most }: { readonly card: CardSummary; readonly most: number }) {
  const { store } = useBoard();
  const { lease } = card;
  if (lease === null) return null;
  const left = (Date.parse(lease.expires_at) - now.value) / 1_000;
  const ttl = store.column(card.column_id)?.contract.lease_ttl_seconds ?? left;
  const part = left / Math.max(1, ttl);
  return (
    <div class="working">
      <div class="working-line">
        <Avatar name={lease.agent} />
        <strong class="agent">{lease.agent}</strong>
        <span class="spring" />
        <span class="left" title={`The lease runs out in ${duration(left)} unless it is renewed`}>
          <Ring part={part} low={part < LOW} />
          {duration(left)}
        </span>
      </div>
      <Progress value={lease.progress} note={lease.note} />
      <div class="working-line faint">
        <span class="beat" title="Last heartbeat">
          <Icon name="heart" size={12} />
          {shortAge(secondsSince(lease.heartbeat_at ?? lease.claimed_at, now.value))} ago
        </span>
        <span class="spring" />
        <span>
          attempt {lease.attempt}/{most}
        </span>
        <span class="spring" />
        <span title="In work since">{shortAge(secondsSince(lease.claimed_at, now.value))}</span>
      </div>
      {card.cancel_requested === null ? null : (
        <p class="tile-why why-blocked">Asked to stop: {card.cancel_requested.reason}</p>
      )}
    </div>
  );
}

export function Progress({ value, note }: { readonly value: number | null; readonly note: string | null }) {
  if (value === null && note === null) return null;
  return (
    <div class="progress-block">
      {value === null ? null : (
        <progress class="progress" max={100} value={value} aria-label={`Progress: ${value} of 100`} />
      )}
      {note === null ? null : <span class="note">{note}</span>}
      {value === null ? null : <span class="percent">{value}%</span>}
    </div>
  );
}

function Dead({ card, sentence }: { readonly card: CardSummary; readonly sentence: string }) {
  const { store } = useBoard();
  return (
    <div class="dead-line">
      <p class="tile-why why-dead">{sentence}</p>
      {may('member') ? (
        <Button small icon="back" onClick={() => void redrive(store, card)}>
          Redrive
        </Button>
      ) : null}
    </div>
  );
}

/** A card that was claimed before, and came back without an outcome of its own. */
function CameBack({ card }: { readonly card: CardSummary }) {
  if (card.abandoned_by === null) {
    return card.attempt > 0 && card.state !== 'done' ? (
      <p class="tile-why faint">
        <Icon name="back" size={12} /> {card.attempt} {card.attempt === 1 ? 'attempt' : 'attempts'} so far
      </p>
    ) : null;
  }
  return (
    <p class="tile-why why-lost">
      <Icon name="back" size={12} /> Came back from {card.abandoned_by.agent}, attempt{' '}
      {card.abandoned_by.attempt}
    </p>
  );
}
