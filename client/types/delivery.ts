/** Events, and the webhooks that carry them. */
import type { CardSummary } from './card.ts';

/** One transition; the same envelope in the feed, in webhooks and on EventBridge. */
export interface BoardEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** Gapless per card, and per board for the board's own events. */
  readonly sequence: number;
  readonly board_id: string;
  readonly column_id: string | null;
  readonly card_id: string | null;
  readonly actor: { readonly type: 'agent' | 'person' | 'system'; readonly id: string };
  /** Where the card was before. */
  readonly previous: { readonly column_id: string; readonly state: string } | null;
  /** Null what the event is not about, or what is gone. */
  readonly data: {
    readonly card: CardSummary | null;
    readonly lease: EventLease | null;
    readonly run: EventRun | null;
    readonly board: { readonly id: string; readonly slug: string; readonly name: string } | null;
    readonly column: { readonly id: string; readonly name: string; readonly role: string } | null;
    readonly webhook: { readonly id: string } | null;
    readonly reason: string | null;
  };
}

export interface EventLease {
  readonly id: string;
  readonly agent: string;
  readonly attempt: number;
  readonly claimed_at: string;
  readonly expires_at: string;
}

/** How an attempt ended; of summary and error the first line. */
export interface EventRun {
  readonly id: string;
  readonly number: number;
  readonly attempt: number;
  readonly agent: string | null;
  readonly outcome: string;
  readonly summary: string | null;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly next_attempt_at: string | null;
}

/** The feed's page: its cursor is never null, since more may always come. */
export interface EventPage {
  readonly items: readonly BoardEvent[];
  readonly next_cursor: string;
  /** True when events behind `since` were no longer kept. */
  readonly expired: boolean;
}

export interface EventQuery {
  readonly since?: string;
  readonly types?: readonly string[];
  readonly wait_seconds?: number;
  readonly limit?: number;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly card_id: string | null;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly created_at: string;
}

/** The answers that show the secret: create and rotate. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string;
}

export interface WebhookInput {
  readonly url: string;
  readonly types?: readonly string[];
  readonly card_id?: string;
  readonly description?: string;
  readonly since?: string;
}

export interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: 'pending' | 'delivered' | 'failed' | 'exhausted' | 'aborted';
  readonly attempts: readonly {
    readonly at: string;
    readonly status_code: number | null;
    readonly duration_ms: number;
    readonly response_excerpt: string | null;
    readonly error: string | null;
  }[];
  readonly next_attempt_at: string | null;
}
