/** How a board fares: numbers, and what stands in the way of cards. */
import type { StateCounts } from './board.ts';

interface Age {
  /** Since when the oldest ready card is ready. */
  readonly oldest_ready_at: string | null;
  readonly oldest_ready_seconds: number | null;
}

export interface Stats extends Age {
  readonly board_id: string;
  readonly counts: StateCounts;
  /** Counting stopped at 1,000. */
  readonly capped: boolean;
  readonly columns: readonly ({
    readonly column_id: string;
    readonly name: string;
    readonly counts: StateCounts;
    readonly capped: boolean;
  } & Age)[];
  /** Cards that are not over, by whose they are; null: nobody's. */
  readonly assignees: readonly { readonly assignee: string | null; readonly counts: StateCounts }[];
  readonly done_last_hour: number;
  readonly done_last_day: number;
  readonly dead: number;
  /** Cards that should have gone on two minutes ago or more, and did not. */
  readonly stuck: number;
}

/** Why a card is not offered. */
export interface Diagnostic {
  readonly card_id: string;
  /** What to match on: sentences may change. */
  readonly code: string;
  readonly sentence: string;
  readonly since: string | null;
  /** The call that would change it; null where only a person knows. */
  readonly action: {
    readonly verb: string;
    readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly body: Readonly<Record<string, unknown>> | null;
  } | null;
}
