/** Leaseboard's own metrics, as the functions write them into their logs (EMF). */
import { Duration, Lazy } from 'aws-cdk-lib';
import { Metric, Stats, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { METRICS } from '../functions/metrics.ts';
import type { Board } from './board.ts';
import type { Column } from './column.ts';

type Name = (typeof METRICS)[keyof typeof METRICS]['name'];

/** Gauges of one column. */
export interface ColumnMetrics {
  readonly queueAge: Metric;
  readonly ready: Metric;
  readonly leased: Metric;
  readonly dead: Metric;
}

export class LeaseboardMetrics {
  readonly namespace: string;
  /** Ids of the columns that are measured by themselves, as the functions are told. */
  readonly columnsText: string;
  private readonly columns: string[] = [];

  constructor(namespace: string) {
    this.namespace = namespace;
    this.columnsText = Lazy.string({
      produce: () => (this.columns.length === 0 ? 'none' : this.columns.join(',')),
    });
  }

  /** Measures a column by itself too: four metrics, at $0.30 a month each. */
  ofColumn(board: Board, column: Column): ColumnMetrics {
    const id = board.columnId(column);
    this.columns.push(id);
    const options = { dimensionsMap: { Column: id } };
    return {
      queueAge: this.queueAge(options),
      ready: this.ready(options),
      leased: this.leased(options),
      dead: this.dead(options),
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
