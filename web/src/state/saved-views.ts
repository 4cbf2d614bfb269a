/** Filters that a person has given a name: kept in this browser, board by board. The address says the same to others. */
import { signal } from '@preact/signals';
import { local, readStored, writeStored } from './storage.ts';

export interface SavedView {
  readonly name: string;
  /** As it stands in the address. */
  readonly query: string;
}

type Views = Readonly<Record<string, readonly SavedView[]>>;

const KEY = 'leaseboard.views';
export const MOST_VIEWS = 30;
export const LONGEST_NAME = 40;

const all = signal<Views>(stored());
// Another tab of the same person.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) all.value = stored();
});

/** In the order in which they were saved. */
export function viewsOf(slug: string): readonly SavedView[] {
  return all.value[slug] ?? [];
}

/** In place of the one that had the name. */
export function saveView(slug: string, view: SavedView): void {
  change(slug, (views) => {
    const at = views.findIndex(({ name }) => name === view.name);
    return at === -1 ? [...views, view].slice(-MOST_VIEWS) : views.with(at, view);
  });
}

export function deleteView(slug: string, name: string): void {
  change(slug, (views) => views.filter((view) => view.name !== name));
}

/** On top of what is stored now: another tab may have saved one meanwhile. */
function change(slug: string, edit: (views: readonly SavedView[]) => readonly SavedView[]): void {
  const before = stored();
  all.value = { ...before, [slug]: edit(before[slug] ?? []) };
  writeStored(local, KEY, JSON.stringify(all.value));
}

function stored(): Views {
  try {
    return JSON.parse(readStored(local, KEY) ?? '{}') as Views;
  } catch {
    return {};
  }
}
