/** Addresses of the board: which view a path names, and links that change it without loading the page anew. */
import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export type View = 'board' | 'work' | 'dead' | 'diagnostics' | 'activity' | 'webhooks';

export type Route =
  | { readonly page: 'boards' }
  | { readonly page: 'tokens' }
  | {
      readonly page: 'board';
      readonly slug: string;
      readonly view: View;
      readonly card: string | null;
      readonly column: string | null;
    }
  | { readonly page: 'unknown' };

const VIEWS: readonly View[] = ['board', 'work', 'dead', 'diagnostics', 'activity', 'webhooks'];

const address = signal(window.location.pathname + window.location.search);
window.addEventListener('popstate', () => {
  address.value = window.location.pathname + window.location.search;
});

export const route = computed<Route>(() => parse(address.value.split('?')[0] ?? '/'));
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

/** `/boards/{slug}[/view][/cards/{id} | /columns/{id}]` */
function parse(path: string): Route {
  if (path === '/' || path === '/boards' || path === '/sign-in') return { page: 'boards' };
  if (path === '/tokens') return { page: 'tokens' };
  const [, root, slug, ...rest] = path.split('/').map(decoded);
  if (root !== 'boards' || slug === undefined || slug === '') return { page: 'unknown' };
  const view = VIEWS.find((name) => name === rest[0]) ?? 'board';
  const below = view === rest[0] ? rest.slice(1) : rest;
  return {
    page: 'board',
    slug,
    view,
    card: below[0] === 'cards' ? (below[1] ?? null) : null,
    column: below[0] === 'columns' ? (below[1] ?? null) : null,
  };
}

/** What is no encoding is taken as it stands: it names no board, and the page says so. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function boardPath(slug: string, view: View = 'board', below = ''): string {
  const base = `/boards/${encodeURIComponent(slug)}`;
  return (view === 'board' ? base : `${base}/${view}`) + below;
}

/** The view that is open, with this card beside it. */
export function cardPath(slug: string, card: string): string {
  const current = route.value;
  const view = current.page === 'board' ? current.view : 'board';
  return boardPath(slug, view, `/cards/${card}`);
}

export function go(path: string, replace = false): void {
  const [pathname = '', search] = path.split('?');
  // Filters live in the query: they stay while one moves about on the same board.
  const sameBoard = pathname.split('/')[2] === window.location.pathname.split('/')[2];
  const target = search === undefined && sameBoard ? pathname + window.location.search : path;
  if (replace) window.history.replaceState(null, '', target);
  else window.history.pushState(null, '', target);
  address.value = target;
}

export function setQuery(change: Readonly<Record<string, string | null>>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  const search = next.toString();
  go(`${window.location.pathname}?${search}`.replace(/\?$/, '?'), true);
  if (search === '') {
    window.history.replaceState(null, '', window.location.pathname);
    address.value = window.location.pathname;
  }
}

interface LinkProps {
  readonly to: string;
  readonly children?: ComponentChildren;
  readonly class?: string;
  readonly tabIndex?: number;
  readonly draggable?: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  readonly 'data-focus'?: string;
}

/** A link that the browser can also open in another tab. */
export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      href={to}
      {...rest}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
