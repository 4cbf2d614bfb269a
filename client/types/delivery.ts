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
  /** W3C trace context of the card, as its creator gave it. */
  readonly traceparent: string | null;
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
  /** `newest`: back from what happened last, to where the answer's cursor is the question's. Left out: `oldest`. */
  readonly order?: 'oldest' | 'newest';
  readonly wait_seconds?: number;
  readonly limit?: number;
}

/** `card_archived`: the card that it was for was put away. */
export type WebhookDisabledReason = 'by_hand' | 'failing' | 'gone' | 'asked' | 'card_archived';

export interface Webhook {
  readonly id: string;
  readonly board_id: string;
  readonly url: string;
  /** null: every type. */
  readonly types: readonly string[] | null;
  readonly card_id: string | null;
  readonly include_children: boolean;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly disabled_reason: WebhookDisabledReason | null;
  readonly disabled_at: string | null;
  /** Since when there were only failures. */
  readonly failing_since: string | null;
  readonly last_delivered_at: string | null;
  /** Until when two secrets sign. */
  readonly previous_secret_expires_at: string | null;
  /** Events since then are being sent again. */
  readonly recovering_since: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The answers that show the secret: create and rotate. */
export interface WebhookWithSecret extends Webhook {
  /** `whsec_...` */
  readonly secret: string;
}

export interface WebhookInput {
  readonly url: string;
  /** Left out or null: every type. */
  readonly types?: readonly string[] | null;
  /** This card's events only, until it is archived. */
  readonly card_id?: string | null;
  /** Events of the card's children and sub-cards too. */
  readonly include_children?: boolean;
  readonly description?: string | null;
  /** Events since then too; left out: from now on. */
  readonly since?: string | null;
}

export interface WebhookPatch {
  readonly url?: string;
  readonly types?: readonly string[] | null;
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export interface SecretRotation {
  /** How long the secret before signs as well; default a day, at most a week. */
  readonly grace_seconds?: number;
  /** Also while the grace of an earlier rotation lasts. */
  readonly force?: boolean;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'exhausted' | 'aborted';

export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly {
    readonly at: string;
    readonly url: string;
    readonly status_code: number | null;
    readonly duration_ms: number;
    readonly response_excerpt: string | null;
    readonly error: string | null;
  }[];
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  /** What is sent at each attempt; the body null once the event is no longer kept. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
}
