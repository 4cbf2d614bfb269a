/**
 * The client: one object with every route of the HTTP API, grouped by noun.
 */
import { PLATFORM, type Platform } from './platform.ts';
import { frontierRoutes, systemRoutes, tokenRoutes } from './routes/access.ts';
import { attachmentRoutes, commentRoutes, linkRoutes, runRoutes } from './routes/around.ts';
import { boardRoutes } from './routes/boards.ts';
import { cardRoutes } from './routes/cards.ts';
import { columnRoutes } from './routes/columns.ts';
import { eventRoutes, webhookRoutes } from './routes/delivery.ts';
import { leaseRoutes } from './routes/leases.ts';
import { createTransport } from './transport.ts';

/** For one try. A function that is cold and a table that is throttled both answer within it. */
const DEFAULT_TIMEOUT_MS = 10_000;
/** Further tries: with their waits about 3 s, longer than a hiccup and shorter than an outage. */
const DEFAULT_RETRIES = 4;

export interface ClientOptions {
  /** Address of the API, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** `lb_<id>_<secret>` */
  readonly token: string;
  /** Name of this session; not needed when the token is bound to one. */
  readonly agent?: string | undefined;
  /**
   * W3C trace context (`traceparent`) of the work at hand, asked for at each call: with OpenTelemetry, what
   * `propagation.inject` says of the active context.
   */
  readonly traceparent?: (() => string | undefined) | undefined;
  /** Milliseconds for one try; default 10,000, plus the wait of a long poll. */
  readonly timeoutMs?: number | undefined;
  /** Further tries after the first, where repeating is safe; default 4. */
  readonly retries?: number | undefined;
  readonly platform?: Platform | undefined;
}

/**
 * Every route of the API, grouped by noun. A call answers the decoded body or throws `LeaseboardError`; with an
 * aborted `signal` it throws the signal's reason.
 */
export class LeaseboardClient {
  readonly url: string;
  readonly agent: string | undefined;
  readonly platform: Platform;
  readonly system: ReturnType<typeof systemRoutes>;
  readonly boards: ReturnType<typeof boardRoutes>;
  readonly columns: ReturnType<typeof columnRoutes>;
  readonly cards: ReturnType<typeof cardRoutes>;
  readonly leases: ReturnType<typeof leaseRoutes>;
  readonly runs: ReturnType<typeof runRoutes>;
  readonly comments: ReturnType<typeof commentRoutes>;
  readonly links: ReturnType<typeof linkRoutes>;
  readonly attachments: ReturnType<typeof attachmentRoutes>;
  readonly frontier: ReturnType<typeof frontierRoutes>;
  readonly events: ReturnType<typeof eventRoutes>;
  readonly webhooks: ReturnType<typeof webhookRoutes>;
  readonly tokens: ReturnType<typeof tokenRoutes>;

  constructor(options: ClientOptions) {
    // No header could hold it, and the platform would say no more than that nothing was sent.
    if (/[^\x20-\x7e]/.test(options.token.trim()))
      throw new TypeError('The token has characters that no token has');
    this.url = options.url;
    this.agent = options.agent;
    this.platform = options.platform ?? PLATFORM;
    const send = createTransport({
      url: options.url,
      token: options.token,
      agent: options.agent,
      traceparent: options.traceparent,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      retries: options.retries ?? DEFAULT_RETRIES,
      platform: this.platform,
    });
    this.system = systemRoutes(send);
    this.boards = boardRoutes(send);
    this.columns = columnRoutes(send);
    this.cards = cardRoutes(send);
    this.leases = leaseRoutes(send);
    this.runs = runRoutes(send);
    this.comments = commentRoutes(send);
    this.links = linkRoutes(send);
    this.attachments = attachmentRoutes(send);
    this.frontier = frontierRoutes(send);
    this.events = eventRoutes(send);
    this.webhooks = webhookRoutes(send);
    this.tokens = tokenRoutes(send);
  }
}
