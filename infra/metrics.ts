/** Leaseboard's own metrics, as the functions write them into their logs (EMF). */
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { METRICS } from '../functions/metrics.ts';
import type { Board } from './board.ts';
import type { Column } from './column.ts';

type Name = (typeof METRICS)[keyof typeof METRICS]['name'];

/** Of one column; the dimension `Column` is its id. */
export interface ColumnMetrics {
  readonly queueAge: Metric;
  readonly ready: Metric;
  readonly leased: Metric;
  readonly dead: Metric;
  readonly leaseExpired: Metric;
  readonly contention: Metric;
}

export class LeaseboardMetrics {
  readonly namespace: string;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  /**
   * The metrics of one column that is measured by itself: `Column.queue(name, { metrics: true })`.
   * @throws Error for a column that is not: its metrics would stay without a value.
   */
  ofColumn(board: Board, column: Column): ColumnMetrics {
    if (!column.isMeasured) {
      throw new Error(`The column '${column.name}' is not measured by itself: make it with metrics: true.`);
    }
    const options = { dimensionsMap: { Column: board.columnId(column) } };
    return {
      queueAge: this.queueAge(options),
      ready: this.ready(options),
      leased: this.leased(options),
      dead: this.dead(options),
      leaseExpired: this.leaseExpired(options),
      contention: this.contention(options),
    };
  }

  /** Seconds that the oldest ready card has waited. */
  queueAge(options?: MetricOptions): Metric {
    return this.metric('QueueAge', Stats.MAXIMUM, options);
  }

  /** Cards that are ready, at most 1,000 counted for each column. */
  ready(options?: MetricOptions): Metric {
    return this.metric('Ready', Stats.MAXIMUM, options);
  }

  /** Cards under a lease. */
  leased(options?: MetricOptions): Metric {
    return this.metric('Leased', Stats.MAXIMUM, options);
  }

  /** Cards that used up their attempts and wait for a person. */
  dead(options?: MetricOptions): Metric {
    return this.metric('Dead', Stats.MAXIMUM, options);
  }

  /** Leases that ended unheard. */
  leaseExpired(options?: MetricOptions): Metric {
    return this.metric('Expired', Stats.SUM, options);
  }

  /** Claims that gave way to others, though there were cards. */
  contention(options?: MetricOptions): Metric {
    return this.metric('Contended', Stats.SUM, options);
  }

  /** Attempts to deliver that the receiver did not take. */
  webhookFailures(options?: MetricOptions): Metric {
    return this.metric('WebhookFailures', Stats.SUM, options);
  }

  private metric(metricName: Name, statistic: string, options: MetricOptions = {}): Metric {
    return new Metric({
      namespace: this.namespace,
      metricName,
      statistic,
      period: Duration.minutes(5),
      ...options,
    });
  }
}
