/** The board that a page is about, for everything inside it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReadonlySignal } from '@preact/signals';
import type { Shown } from './arrange.ts';
import type { LiveBoard } from './live.ts';
import type { BoardStore } from './store.ts';

export interface BoardContextValue {
  readonly store: BoardStore;
  readonly live: LiveBoard;
  /** Columns with the cards that fit the filter, in order. */
  readonly shown: ReadonlySignal<readonly Shown[]>;
}

export const BoardContext = createContext<BoardContextValue | null>(null);

export function useBoard(): BoardContextValue {
  const value = useContext(BoardContext);
  if (value === null) throw new Error('This belongs inside a board page');
  return value;
}
