/**
 * Columns of a board as code: plain ones, and queues with their contract. Each deployment that changes a queue puts its
 * whole contract, so what is left out is at its default afterwards, whatever people have set.
 */
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
   * Share of a wait that chance may add to it, 0 to 1.
   * @default 0.5
   */
  readonly backoffJitter?: number;
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
   * Leases that one assignee may have at once.
   * @default - no bound
   */
  readonly maxPerAssignee?: number;
  /**
   * Nobody may claim a card whose previous stage they did themselves: four eyes.
   * @default false
   */
  readonly excludePreviousHolder?: boolean;
  /**
   * A card blocked this often for the same kind of reason goes to triage.
   * @default 2
   */
  readonly blockRecurrenceLimit?: number;
  /**
   * How long only its implementer is offered a card after a request for changes.
   * @default Duration.days(1)
   */
  readonly changesReserved?: Duration;
  /**
   * Waiting this long is worth one step of priority. Such a column has no order by hand.
   * @default - priority and order decide
   */
  readonly aging?: Duration;
  /**
   * Index partitions that the queue is spread over: 1, 2, 4, ... 64. One takes some 250 cards a second.
   * @default 1
   */
  readonly shards?: number;
  /**
   * Measures the column by itself too: six metrics, at $0.30 a month each. `leaseboard.metrics.ofColumn` has them.
   * @default false
   */
  readonly metrics?: boolean;
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
  readonly isMeasured: boolean;

  private constructor(name: string, code: object, isMeasured = false) {
    this.name = name;
    this.isMeasured = isMeasured;
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
    const code = { role: 'work', contract: contractOf(options) };
    return new Column(name, code, options.metrics === true);
  }
}

function contractOf(options: QueueOptions): object {
  const contract = {
    enabled: true,
    lease_ttl_seconds: options.leaseTtl?.toSeconds(),
    max_attempts: options.maxAttempts,
    backoff_seconds: options.backoff?.map((wait) => wait.toSeconds()),
    backoff_jitter: options.backoffJitter,
    max_runtime_seconds: options.maxRuntime?.toSeconds(),
    concurrency_limit: options.concurrencyLimit,
    max_per_assignee: options.maxPerAssignee,
    exclude_previous_holder: options.excludePreviousHolder,
    block_recurrence_limit: options.blockRecurrenceLimit,
    changes_reserved_seconds: options.changesReserved?.toSeconds(),
    aging_seconds: options.aging?.toSeconds(),
    shards: options.shards,
    metrics: options.metrics,
    on_success: options.onSuccess,
    on_failure: options.onFailure,
    input_schema: options.inputSchema,
    output_schema: options.outputSchema,
  };
  return Object.fromEntries(Object.entries(contract).filter(([, value]) => value !== undefined));
}
