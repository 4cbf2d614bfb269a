/** Columns of a board as code: plain ones, and queues with their contract. */
import type { Duration } from 'aws-cdk-lib';

export interface QueueOptions {
  /**
   * How long a lease lives without a heartbeat.
   * @default Duration.minutes(2)
   */
  readonly leaseTtl?: Duration;
  /**
   * Attempts after which a card is dead.
   * @default 5
   */
  readonly maxAttempts?: number;
  /**
   * Waits after the first, second, ... failed attempt; the last repeats.
   * @default - 1 min, 5 min, 15 min, 1 h, 6 h
   */
  readonly backoff?: readonly Duration[];
  /**
   * The longest that one lease may live, renewals included.
   * @default - no bound
   */
  readonly maxRuntime?: Duration;
  /**
   * Leases that may live at once.
   * @default - no bound
   */
  readonly concurrencyLimit?: number;
  /**
   * Name of the column that completed cards go to.
   * @default - they stay
   */
  readonly onSuccess?: string;
  /**
   * Name of the column that dead cards go to.
   * @default - they stay
   */
  readonly onFailure?: string;
  /**
   * JSON Schema that a card's properties must fit before it is offered.
   * @default - anything goes
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /**
   * JSON Schema that an output must fit.
   * @default - anything goes
   */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
}

export class Column {
  readonly name: string;
  /** As the setup function takes it. */
  readonly code: object;

  private constructor(name: string, code: object) {
    this.name = name;
    this.code = { name, ...code };
  }

  /** A column that cards lie in. */
  static plain(name: string): Column {
    return new Column(name, {});
  }

  /** A column whose cards are over. */
  static done(name: string): Column {
    return new Column(name, { role: 'done' });
  }

  /** A column that workers claim from. */
  static queue(name: string, options: QueueOptions = {}): Column {
    return new Column(name, { role: 'work', contract: contractOf(options) });
  }
}

function contractOf(options: QueueOptions): object {
  const { leaseTtl, maxRuntime, backoff } = options;
  const contract = {
    enabled: true,
    lease_ttl_seconds: leaseTtl?.toSeconds(),
    max_attempts: options.maxAttempts,
    backoff_seconds: backoff?.map((wait) => wait.toSeconds()),
    max_runtime_seconds: maxRuntime?.toSeconds(),
    concurrency_limit: options.concurrencyLimit,
    on_success: options.onSuccess,
    on_failure: options.onFailure,
    input_schema: options.inputSchema,
    output_schema: options.outputSchema,
  };
  return Object.fromEntries(Object.entries(contract).filter(([, value]) => value !== undefined));
}
