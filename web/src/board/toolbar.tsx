/** Search, filters, what waits for a person, and how the board is shown. */
import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { CardSummary } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { preferences } from '../state/preferences.ts';
import { may } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useBoard } from './context.ts';
import { clearFilter, filter, isFiltered, NOBODY, setFilter } from './filters.ts';
import { creating } from './focus.ts';
import { SaveView } from './saved-views.tsx';
import { needsPerson, statusOf, STATUS_LABELS, type Status } from './status.ts';

export function Toolbar() {
  const [open, setOpen] = useState(false);
  return (
    <div class="toolbar">
      <label class="search">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          placeholder="Search cards"
          aria-label="Search cards"
          value={filter.value.text}
          onInput={(event) => setFilter({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <NeedsMe />
      <Button icon="filter" pressed={open} onClick={() => setOpen(!open)}>
        Filter
      </Button>
      {isFiltered.value ? (
        <Button kind="quiet" icon="close" onClick={clearFilter}>
          Clear
        </Button>
      ) : null}
      <SaveView />
      <span class="spring" />
      <Button icon="lanes" pressed={preferences.lanes.value} onClick={() => flip('lanes')}>
        Lanes
      </Button>
      <Button icon="list" pressed={preferences.compact.value} onClick={() => flip('compact')}>
        Compact
      </Button>
      {may('worker') ? (
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            creating.value = true;
          }}
        >
          New card
        </Button>
      ) : null}
      {open ? <Filters /> : null}
    </div>
  );
}

function flip(name: 'lanes' | 'compact'): void {
  preferences[name].value = !preferences[name].value;
}

/** What waits for a person, in one click. */
function NeedsMe() {
  const { store } = useBoard();
  const count = useComputed(() => {
    const roles = new Map(store.board.value?.columns.map(({ id, role }) => [id, role]));
    return [...store.cards.value.values()].filter(({ card }) =>
      needsPerson(card, statusOf(card, now.peek()), roles.get(card.column_id) ?? 'plain'),
    ).length;
  });
  const on = filter.value.mine;
  return (
    <button
      type="button"
      class={`needs ${count.value > 0 ? 'needs-some' : ''}`}
      aria-pressed={on}
      title="Blocked, dead, to be reviewed, or with an input that has to be put right"
      onClick={() => setFilter({ needs: on ? null : 'me' })}
    >
      <Icon name="person" />
      <span>Waits for people</span>
      <b>{count.value}</b>
    </button>
  );
}

const STATES = Object.keys(STATUS_LABELS) as Status[];

function Filters() {
  const { store } = useBoard();
  const cards = [...store.cards.value.values()].map(({ card }) => card);
  const { assignee, tenant, label, state, archived } = filter.value;
  return (
    <div class="filters">
      <Choice
        name="State"
        value={state}
        param="state"
        options={STATES.map((one) => [one, STATUS_LABELS[one]])}
      />
      <Choice
        name="Agent or assignee"
        value={assignee}
        param="assignee"
        options={[[NOBODY, 'Nobody'], ...values(cards, (card) => [card.assignee, card.lease?.agent ?? null])]}
      />
      <Choice name="Tenant" value={tenant} param="tenant" options={values(cards, (card) => [card.tenant])} />
      <Choice name="Label" value={label} param="label" options={values(cards, (card) => card.labels)} />
      <label class="check">
        <input
          type="checkbox"
          checked={archived}
          onChange={(event) => setFilter({ archived: event.currentTarget.checked ? '1' : null })}
        />
        Show archived
      </label>
    </div>
  );
}

function values(
  cards: readonly CardSummary[],
  of: (card: CardSummary) => readonly (string | null)[],
): [string, string][] {
  const found = new Set(cards.flatMap(of).filter((value) => value !== null));
  return [...found]
    .toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }))
    .map((value) => [value, value]);
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly param: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

function Choice({ name, value, param, options }: ChoiceProps) {
  return (
    <label class="choice">
      <span>{name}</span>
      <select value={value} onChange={(event) => setFilter({ [param]: event.currentTarget.value })}>
        <option value="">Any</option>
        {options.map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
