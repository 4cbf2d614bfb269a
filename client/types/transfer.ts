/** A board's export, and what became of its rows. */
import type { Problem } from '../problem.ts';

/** What a board, a column, a contract, a card, something under a card or its links were. It goes back as it came. */
export interface ExportedRow {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** 201: made; 200: there already; else refused, and `error` says why. */
export interface ImportedRow {
  readonly index: number;
  readonly type: string | null;
  readonly status: number;
  /** What it is called on the board that it came to. */
  readonly id?: string | null;
  readonly error?: Problem;
}

/** `items` in the order of the rows. */
export interface ImportAnswer {
  readonly items: readonly ImportedRow[];
  readonly created: number;
  readonly existing: number;
  readonly refused: number;
}
