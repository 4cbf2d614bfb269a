/** The board by keyboard. Letters are left alone while somebody types, and with Ctrl, Alt or Meta held. */
import { useEffect } from 'preact/hooks';
import type { CardSummary } from '../../../client/types.ts';
import { cardPath, boardPath, go, route } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { moveCard, shiftColumn } from './actions.ts';
import type { BoardContextValue } from './context.ts';
import { creating, focusCard, focusedCard, helpOpen, moving } from './focus.ts';

export const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k  or  ↓  ↑', 'Next and previous card'],
  ['h  l  or  ←  →', 'Column to the left and right'],
  ['Enter', 'Open the card'],
  ['m', 'Move to…'],
  ['Shift + H / L', 'Move to the column beside'],
  ['Shift + J / K', 'Move down and up'],
  ['x', 'Select'],
  ['c', 'New card'],
  ['/', 'Search'],
  ['?', 'These keys'],
  ['Esc', 'Close, clear the selection'],
];

type Step = (context: BoardContextValue) => void;

const STEPS: Readonly<Record<string, Step>> = {
  j: (context) => along(context, 1),
  ArrowDown: (context) => along(context, 1),
  k: (context) => along(context, -1),
  ArrowUp: (context) => along(context, -1),
  l: (context) => across(context, 1),
  ArrowRight: (context) => across(context, 1),
  h: (context) => across(context, -1),
  ArrowLeft: (context) => across(context, -1),
  L: (context) => shift(context, 1),
  H: (context) => shift(context, -1),
  J: (context) => reorder(context, 1),
  K: (context) => reorder(context, -1),
  m: (context) => {
    if (may('member')) moving.value = current(context)?.id ?? null;
  },
  x: ({ store, ...rest }) => {
    const card = current({ store, ...rest });
    if (card !== null) store.toggleSelected(card.id, !store.selected.value.has(card.id));
  },
  o: (context) => {
    const card = current(context);
    if (card !== null) go(cardPath(context.store.slug, card.id));
  },
  c: (context) => {
    creating.value = current(context)?.column_id ?? true;
  },
  '/': () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  '?': () => {
    helpOpen.value = true;
  },
  Escape: ({ store }) => {
    if (store.selected.value.size > 0) store.selected.value = new Set();
    else if (route.value.page === 'board' && route.value.card !== null) {
      const open = route.value.card;
      go(boardPath(route.value.slug, route.value.view));
      focusCard(open);
    }
  },
};

export function useKeyboard(context: BoardContextValue): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      const arrow = event.key.startsWith('Arrow');
      // Arrows scroll a page and move a cursor; they are the board's only when a card has the focus.
      if (arrow && !(event.target instanceof HTMLElement && event.target.dataset['focus'] !== undefined))
        return;
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      step(context);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [context]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true;
  return target instanceof HTMLInputElement && target.type !== 'checkbox';
}

function current({ store }: BoardContextValue): CardSummary | null {
  return focusedCard.value === null ? null : store.card(focusedCard.value);
}

/** Place of the focused card: which column of those shown, and where in it. */
function position({ shown }: BoardContextValue): { column: number; row: number } {
  const id = focusedCard.value;
  for (const [column, { cards }] of shown.value.entries()) {
    const row = cards.findIndex((card) => card.id === id);
    if (row !== -1) return { column, row };
  }
  return { column: -1, row: -1 };
}

function along(context: BoardContextValue, step: number): void {
  const { column, row } = position(context);
  if (column === -1) return first(context);
  const next = context.shown.value[column]?.cards[row + step];
  if (next !== undefined) focusCard(next.id);
}

function first({ shown }: BoardContextValue): void {
  const card = shown.value.find(({ cards }) => cards.length > 0)?.cards[0];
  if (card !== undefined) focusCard(card.id);
}

function across(context: BoardContextValue, step: number): void {
  const { column, row } = position(context);
  if (column === -1) return first(context);
  const columns = context.shown.value;
  for (let at = column + step; at >= 0 && at < columns.length; at += step) {
    const cards = columns[at]?.cards ?? [];
    const next = cards[Math.min(Math.max(0, row), cards.length - 1)];
    if (next !== undefined) return focusCard(next.id);
  }
}

function shift(context: BoardContextValue, step: 1 | -1): void {
  const card = current(context);
  if (card === null || !may('member')) return;
  void shiftColumn(context.store, card, context.shown.value, step).then(() => focusCard(card.id));
}

function reorder(context: BoardContextValue, step: 1 | -1): void {
  const { column, row } = position(context);
  const shown = context.shown.value[column];
  const card = shown?.cards[row];
  const beside = shown?.cards[row + step];
  if (shown === undefined || card === undefined || beside === undefined || !may('member')) return;
  const side = step === 1 ? 'after' : 'before';
  void moveCard(context.store, card, {
    column: shown.column,
    order: shown.cards,
    beside: beside.id,
    side,
  }).then(() => focusCard(card.id));
}
