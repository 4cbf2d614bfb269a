/** A figure of the bench beside its budget. */
import type { TestTable } from '../../support/dynamodb.ts';

/** A bound as `performance.md`'s table has it; `null` where the figure is only reported. */
export type Bound = { readonly most: number } | { readonly least: number } | null;

export interface Figure {
  readonly what: string;
  readonly bound: Bound;
  readonly measured: number;
  /** A bold budget: the bench fails when it is missed. */
  readonly bold: boolean;
  /** Unit or remark that follows the measured value. */
  readonly note?: string;
}

/** What one group of rows measures. */
export interface Group {
  readonly name: string;
  /** Its share of the whole run's time, for the progress shown. */
  readonly share: number;
  readonly run: (bench: Bench) => Promise<Figure[]>;
}

/** What a group works with. */
export interface Bench {
  /** A fresh table, empty. */
  readonly newTable: () => Promise<TestTable>;
}

export const atMost = (what: string, most: number, measured: number, note?: string): Figure => ({
  what,
  bound: { most },
  measured,
  bold: true,
  ...(note === undefined ? {} : { note }),
});

export const atLeast = (what: string, least: number, measured: number): Figure => ({
  what,
  bound: { least },
  measured,
  bold: true,
});

export const reported = (what: string, measured: number, note?: string): Figure => ({
  what,
  bound: null,
  measured,
  bold: false,
  ...(note === undefined ? {} : { note }),
});
