/** One card on the board. */
import { useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import type { CardSummary } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { preferences } from '../state/preferences.ts';
import { boardPath, Link, route } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useBoard } from './context.ts';
import type { BoardStore } from './store.ts';
import { dragged, dropPlace, useDraggable } from './drag.ts';
import { focusedCard, moving } from './focus.ts';
import { sentenceOf, statusOf, STATUS_LABELS } from './status.ts';
import { StatusBadge } from './status-badge.tsx';
import { TileState } from './tile-state.tsx';

interface TileProps {
  readonly card: CardSummary;
}

/** Redrawn when its card changes, not when others do. */
export const CardTile = memo(Tile, (before: TileProps, after: TileProps) => before.card === after.card);

function Tile({ card }: TileProps) {
  const { store } = useBoard();
  const element = useRef<HTMLElement>(null);
  useDraggable(element, card.id, card.column_id);
  const most = store.mostAttempts(card);
  // Only what changes with time is drawn anew each second.
  const time = card.state === 'leased' || card.state === 'waiting' ? now.value : now.peek();
  const status = statusOf(card, time);
  const sentence = sentenceOf(card, status, time, most);
  // Each is a signal of its own, so that a change elsewhere on the board draws no other tile anew.
  const selected = useComputed(() => store.selected.value.has(card.id)).value;
  const focused = useComputed(() => focusedCard.value === card.id).value;
  const open = useComputed(() => isOpen(card.id)).value;
  const look = useComputed(() => lookOf(store, card.id)).value;
  return (
    <article
      ref={element}
      class={`tile status-${status} ${selected ? 'selected' : ''} ${look}`}
      data-card={card.id}
      data-status={status}
      onFocusIn={() => {
        focusedCard.value = card.id;
      }}
    >
      <div class="tile-top">
        <span class="key">{card.key}</span>
        <Priority value={card.priority} />
        <span class="spring" />
        {status === 'idle' ? null : <StatusBadge status={status} />}
      </div>
      <Link
        class="tile-title"
        to={boardPath(store.slug, 'board', `/cards/${card.id}`)}
        tabIndex={focused ? 0 : -1}
        data-focus={card.id}
        draggable={false}
        aria-label={`${card.title}. ${card.key}. ${STATUS_LABELS[status]}. ${sentence}`}
        aria-current={open ? 'true' : undefined}
      >
        {card.title}
      </Link>
      <TileState card={card} status={status} sentence={sentence} most={most} />
      {preferences.compact.value ? null : <TileFoot card={card} />}
      {may('member') ? <TileTools card={card} selected={selected} focused={focused} /> : null}
    </article>
  );
}

interface TileToolsProps {
  readonly card: CardSummary;
  readonly selected: boolean;
  readonly focused: boolean;
}

function TileTools({ card, selected, focused }: TileToolsProps) {
  const { store } = useBoard();
  return (
    <div class="tile-tools">
      <label class="tile-select" title="Select">
        <input
          type="checkbox"
          checked={selected}
          tabIndex={focused ? 0 : -1}
          aria-label={`Select ${card.key}`}
          onChange={(event) => store.toggleSelected(card.id, event.currentTarget.checked)}
        />
      </label>
      <IconButton
        icon="move"
        name={`Move ${card.key} to…`}
        tabIndex={focused ? 0 : -1}
        onClick={() => {
          moving.value = card.id;
        }}
      />
    </div>
  );
}

/** Classes for what goes on around a card: dragged, a place to drop, just changed. */
function lookOf(store: BoardStore, card: string): string {
  const place = dropPlace.value;
  return [
    place?.beside === card ? `drop-${place.side}` : '',
    dragged.value === card ? 'dragged' : '',
    store.fresh.value.has(card) ? 'fresh' : '',
  ].join(' ');
}

function isOpen(card: string): boolean {
  return route.value.page === 'board' && route.value.card === card;
}

/** The middle one is usual and says nothing. */
const USUAL_PRIORITY = 5;

export function Priority({ value }: { readonly value: number }) {
  if (value === USUAL_PRIORITY) return null;
  const name = value > USUAL_PRIORITY ? 'high' : 'low';
  return (
    <span class={`priority priority-${name}`} title={`Priority ${value} of 9`}>
      <span aria-hidden="true">{value > USUAL_PRIORITY ? '▲' : '▼'}</span> P{value}
    </span>
  );
}

function TileFoot({ card }: { readonly card: CardSummary }) {
  const { comments, attachments, children } = card.counts;
  const holder = card.lease?.agent;
  const shown = card.assignee !== null && card.assignee !== holder;
  if (card.labels.length + comments + attachments + children === 0 && !shown && card.tenant === null)
    return null;
  return (
    <div class="tile-foot">
      {card.tenant === null ? null : <span class="chip chip-tenant">{card.tenant}</span>}
      {card.labels.map((label) => (
        <span key={label} class="chip">
          {label}
        </span>
      ))}
      <span class="spring" />
      <Count icon="comment" count={comments} of="comments" />
      <Count icon="clip" count={attachments} of="attachments" />
      <Count icon="link" count={children} of="cards wait for it" />
      {shown ? (
        <span class="assignee" title={`For ${card.assignee}`}>
          <Avatar name={card.assignee ?? ''} />
        </span>
      ) : null}
    </div>
  );
}

function Count(props: {
  readonly icon: 'comment' | 'clip' | 'link';
  readonly count: number;
  readonly of: string;
}) {
  if (props.count === 0) return null;
  return (
    <span class="count" title={`${props.count} ${props.of}`}>
      <Icon name={props.icon} size={13} />
      {props.count}
    </span>
  );
}
