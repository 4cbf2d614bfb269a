/** What the API answers, as `docs` and the OpenAPI document describe it. Times are ISO 8601 UTC, durations seconds. */
export * from './types/board.ts';
export * from './types/card.ts';
export * from './types/lease.ts';
export * from './types/around.ts';
export * from './types/delivery.ts';
export * from './types/supervision.ts';
export * from './types/transfer.ts';

/** Which page: `cursor` is the `next_cursor` of the page before. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page of a list; `next_cursor` null is the end. A short page is not. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
