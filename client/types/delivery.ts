/** Events, and the webhooks that carry them. */
import type { JsonObject } from './card.ts';

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
  readonly previous: { readonly column_id: string | null; readonly state: string | null } | null;
  readonly data: JsonObject;
}

/** The feed's page: its cursor is never null, since more may always come. */
export interface EventPage {
  readonly items: readonly BoardEvent[];
  readonly next_cursor: string;
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
