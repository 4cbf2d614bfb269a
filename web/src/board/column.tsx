/** One column: its head with counts and limits, its cards, and what can be done with it. */
import { useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import type { CardSummary, ColumnDetail } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { duration, secondsSince } from '../state/format.ts';
import { tellError } from '../state/notices.ts';
import { preferences } from '../state/preferences.ts';
import { boardPath, go } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Shown } from './arrange.ts';
import { CardTile } from './card-tile.tsx';
import { useBoard } from './context.ts';
import { dropPlace, useDropColumn } from './drag.ts';
import { creating, focusedCard } from './focus.ts';
import { laneRows, type Row } from './lanes.ts';
import { statusOf, type Status } from './status.ts';
import { VirtualList } from './virtual-list.tsx';

/** What a tile takes before it has been measured. */
const TILE_PX = 112;
const WORKING_PX = 168;
const COMPACT_PX = 74;
const LANE_PX = 34;
const GAP_PX = 8;

/** Drawn anew when its own cards change: `arrange` answers the same object for a column that stays as it is. */
export const Column = memo(ColumnSection, (before, after) => before.shown === after.shown);

function ColumnSection({ shown }: { readonly shown: Shown }) {
  const { store } = useBoard();
  const { column, cards } = shown;
  const element = useRef<HTMLElement>(null);
  useDropColumn(element, column.id);
  const rows = laneRows(cards, preferences.lanes.value);
  const over = useComputed(() => (dropPlace.value?.column === column.id ? 'drop-over' : '')).value;
  const wanted = useComputed(() => {
    const id = focusedCard.value;
    return id !== null && store.card(id)?.column_id === column.id ? id : null;
  }).value;
  const loaded = store.loaded.value.get(column.id);
  return (
    <section
      ref={element}
      class={`column role-${column.role} ${column.paused ? 'paused' : ''} ${rows.length === 0 ? 'is-empty' : ''} ${over}`}
      aria-label={column.name}
      data-column={column.id}
    >
      <ColumnHead shown={shown} />
      {column.paused ? <PausedBar column={column} /> : null}
      {rows.length === 0 ? (
        <p class="column-empty">{loaded === undefined ? 'Loading…' : emptyWords(shown)}</p>
      ) : (
        <VirtualList
          name={`Cards in ${column.name}`}
          items={rows}
          keyOf={rowKey}
          estimate={rowHeight}
          gap={GAP_PX}
          wanted={wanted}
          render={(row) => (row.kind === 'lane' ? <Lane row={row} /> : <CardTile card={row.card} />)}
        />
      )}
      {loaded?.whole === false ? (
        <p class="column-more">The newest are shown. Search finds the others by their words.</p>
      ) : null}
    </section>
  );
}

const rowKey = (row: Row): string => (row.kind === 'lane' ? `lane ${row.name}` : row.card.id);

function rowHeight(row: Row): number {
  if (row.kind === 'lane') return LANE_PX;
  if (row.card.state === 'leased') return WORKING_PX;
  return preferences.compact.peek() ? COMPACT_PX : TILE_PX;
}

function Lane({ row }: { readonly row: Row & { kind: 'lane' } }) {
  return (
    <h3 class="lane">
      {row.name} <span class="lane-count">{row.count}</span>
    </h3>
  );
}

function emptyWords({ column, all }: Shown): string {
  if (all.length > 0) return `${all.length} hidden by the filter`;
  if (column.queue) return 'Empty. Workers wait here for cards.';
  return column.role === 'done' ? 'Nothing done yet' : 'No cards';
}

function ColumnHead({ shown }: { readonly shown: Shown }) {
  const { store } = useBoard();
  const { column } = shown;
  return (
    <header class="column-head">
      <div class="column-title">
        <h2>{column.name}</h2>
        <CountChip shown={shown} />
        <span class="spring" />
        {may('worker') ? (
          <IconButton
            icon="plus"
            name={`New card in ${column.name}`}
            onClick={() => {
              creating.value = column.id;
            }}
          />
        ) : null}
        {column.queue && may('member') ? (
          <IconButton
            icon={column.paused ? 'play' : 'pause'}
            name={column.paused ? `Resume ${column.name}` : `Pause ${column.name}`}
            onClick={() => void setPaused(store, column, !column.paused)}
          />
        ) : null}
        <IconButton
          icon="gear"
          name={`Settings of ${column.name}`}
          onClick={() => go(boardPath(store.slug, 'board', `/columns/${column.id}`))}
        />
      </div>
      <Vitals shown={shown} />
    </header>
  );
}

type Store = ReturnType<typeof useBoard>['store'];

async function setPaused(store: Store, column: ColumnDetail, paused: boolean): Promise<void> {
  try {
    await (paused ? store.client.columns.pause : store.client.columns.resume)(store.slug, column.id);
    await store.refreshBoard();
  } catch (error) {
    tellError(`${column.name} was not ${paused ? 'paused' : 'resumed'}`, error);
  }
}

function PausedBar({ column }: { readonly column: ColumnDetail }) {
  const { store } = useBoard();
  return (
    <div class="paused-bar">
      <Icon name="pause" size={14} />
      <span>Paused: nothing is handed out. What is held may finish.</span>
      {may('member') ? (
        <Button small onClick={() => void setPaused(store, column, false)}>
          Resume
        </Button>
      ) : null}
    </div>
  );
}

/** Shown cards, all cards, and the limit that people have set themselves. */
function CountChip({ shown: { column, cards, all } }: { readonly shown: Shown }) {
  const { store } = useBoard();
  const known = store.loaded.value.get(column.id)?.whole === true;
  const counted = Object.entries(column.counts)
    .filter(([state]) => state !== 'archived')
    .reduce((sum, [, count]) => sum + (count ?? 0), 0);
  const total = known
    ? all.filter(({ state }) => state !== 'archived').length
    : Math.max(counted, all.length);
  const more = !known && column.capped ? '+' : '';
  const part = cards.length < all.length ? `${cards.length} of ` : '';
  const over = column.wip_limit !== null && total > column.wip_limit;
  return (
    <span
      class={over ? 'count-chip over' : 'count-chip'}
      title={column.wip_limit === null ? 'Cards' : `Cards, and the limit of ${column.wip_limit}`}
    >
      {part}
      {total.toLocaleString()}
      {more}
      {column.wip_limit === null ? '' : ` / ${column.wip_limit}`}
      {over ? <span class="visually-hidden"> over its limit</span> : null}
    </span>
  );
}

/** What a queue does just now, in a line: at work against the limit, how long the oldest waits, what is stuck. */
function Vitals({ shown: { column, all } }: { readonly shown: Shown }) {
  const time = now.value;
  const counts = new Map<Status, number>();
  for (const card of all) {
    const status = statusOf(card, time);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const working = counts.get('working') ?? 0;
  const oldest = oldestReady(all, time);
  const limit = column.contract.concurrency_limit;
  const parts = [
    column.queue ? (
      <span
        key="w"
        class={working > 0 ? 'vital lit' : 'vital'}
        title="Leases that live, and the most that may"
      >
        <Icon name="pulse" size={12} /> {working}
        {limit === null ? '' : ` / ${limit}`} at work
      </span>
    ) : null,
    column.queue && oldest !== null ? (
      <span key="o" class="vital" title="The oldest ready card was last changed this long ago">
        <Icon name="clock" size={12} /> oldest {duration(oldest)}
      </span>
    ) : null,
    ...(['lost', 'blocked', 'dead'] as const).map((status) => {
      const number = counts.get(status) ?? 0;
      if (number === 0 || column.role === 'blocked') return null;
      return (
        <span key={status} class={`vital vital-${status}`}>
          {number} {status}
        </span>
      );
    }),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : <div class="vitals">{parts}</div>;
}

function oldestReady(cards: readonly CardSummary[], time: number): number | null {
  let oldest: string | null = null;
  for (const { state, updated_at } of cards) {
    if (state === 'ready' && (oldest === null || updated_at < oldest)) oldest = updated_at;
  }
  return oldest === null ? null : secondsSince(oldest, time);
}
