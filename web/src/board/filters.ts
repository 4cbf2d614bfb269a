/** The filter bar: what is in the address decides what is shown, so that a view can be sent to somebody. */
import { computed } from '@preact/signals';
import type { CardSummary } from '../../../client/types.ts';
import { query, setQuery } from '../state/router.tsx';
import { needsPerson, statusOf, type Status } from './status.ts';

export interface Filter {
  readonly text: string;
  readonly assignee: string;
  readonly tenant: string;
  readonly label: string;
  readonly state: string;
  readonly mine: boolean;
  readonly archived: boolean;
}

export const filter = computed<Filter>(() => ({
  text: query.value.get('q') ?? '',
  assignee: query.value.get('assignee') ?? '',
  tenant: query.value.get('tenant') ?? '',
  label: query.value.get('label') ?? '',
  state: query.value.get('state') ?? '',
  mine: query.value.get('needs') === 'me',
  archived: query.value.get('archived') === '1',
}));

export const isFiltered = computed(() => {
  const { text, assignee, tenant, label, state, mine } = filter.value;
  return mine || [text, assignee, tenant, label, state].some((value) => value !== '');
});

const PARAMETERS = ['q', 'assignee', 'tenant', 'label', 'state', 'needs', 'archived'] as const;

/** What of the address is the filter's, in one order: two that show the same are the same text. */
export const filterQuery = computed(() => {
  const own = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = query.value.get(name) ?? '';
    if (value !== '') own.set(name, value);
  }
  return own.toString();
});

export function setFilter(change: Readonly<Record<string, string | null>>): void {
  setQuery(change);
}

export function clearFilter(): void {
  setQuery({ q: null, assignee: null, tenant: null, label: null, state: null, needs: null });
}

/** No one in particular, as the list of assignees offers it. */
export const NOBODY = '-';

export function matches(card: CardSummary, role: string, by: Filter, now: number): boolean {
  if (card.state === 'archived' && !by.archived) return false;
  const status: Status = statusOf(card, now);
  if (by.mine && !needsPerson(card, status, role)) return false;
  if (by.state !== '' && by.state !== status) return false;
  if (by.assignee !== '' && !isFor(card, by.assignee)) return false;
  if (by.tenant !== '' && card.tenant !== by.tenant) return false;
  if (by.label !== '' && !card.labels.includes(by.label)) return false;
  return by.text === '' || words(card).includes(by.text.toLowerCase());
}

/** Who has it counts as much as who it was given to. */
function isFor(card: CardSummary, assignee: string): boolean {
  if (assignee === NOBODY) return card.assignee === null && card.lease === null;
  return card.assignee === assignee || card.lease?.agent === assignee;
}

function words(card: CardSummary): string {
  return [card.key, card.title, card.lease?.agent, card.assignee, card.tenant, ...card.labels]
    .filter((word) => word !== null && word !== undefined)
    .join(' ')
    .toLowerCase();
}
