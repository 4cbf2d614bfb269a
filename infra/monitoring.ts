/** Alarms and a dashboard. Each alarm's description names its page in docs/runbooks. */
import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  MathExpression,
  TreatMissingData,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS } from '../functions/metrics.ts';
import type { Leaseboard } from './leaseboard.ts';
import { ALARMS, type AlarmName } from './alarms.ts';

export interface MonitoringProps {
  readonly leaseboard: Leaseboard;
  readonly claimLog: LogGroup;
  readonly metricsNamespace: string;
  readonly alarmTopic: ITopic | undefined;
}

const PERIOD = Duration.minutes(5);
const MINUTE = Duration.minutes(1);
const WIDTH = 12;

export class Monitoring extends Construct {
  readonly dashboard: Dashboard;
  readonly alarms: ReadonlyMap<AlarmName, Alarm>;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { leaseboard, claimLog, metricsNamespace, alarmTopic } = props;
    const contended = {
      metricNamespace: metricsNamespace,
      metricName: METRICS.contended.name,
      metricValue: '1',
    };
    const isContended = FilterPattern.stringValue('$.reason', '=', 'contended');
    claimLog.addMetricFilter('Contended', { ...contended, filterPattern: isContended });
    // The line says so of columns whose contract wants it: each column with a value is a metric that is paid for.
    claimLog.addMetricFilter('ContendedByColumn', {
      ...contended,
      filterPattern: FilterPattern.all(isContended, FilterPattern.booleanValue('$.measured', true)),
      dimensions: { Column: '$.column' },
    });
    const measured = metricsOf(leaseboard);
    this.alarms = new Map(
      (Object.keys(ALARMS) as AlarmName[]).map((name) => [name, this.createAlarm(name, measured[name])]),
    );
    if (alarmTopic !== undefined) this.tell(alarmTopic, leaseboard);
    this.dashboard = this.createDashboard(leaseboard);
  }

  /** Address of the dashboard in the console. */
  get dashboardUrl(): string {
    return `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home#dashboards:name=${this.dashboard.dashboardName}`;
  }

  private createAlarm(name: AlarmName, metric: IMetric): Alarm {
    const { threshold, periods, says } = ALARMS[name];
    return new Alarm(this, name, {
      alarmDescription: `${says} What to do: docs/runbooks/${name}.md`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  private tell(topic: ITopic, { streamMappings, deliveries }: Leaseboard): void {
    const others = [...streamMappings.values()].flatMap(({ lateAlarm, lossAlarm }) => [lateAlarm, lossAlarm]);
    for (const alarm of [...this.alarms.values(), ...others, deliveries.deadLettersAlarm]) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
  }

  private createDashboard({ metrics, functions, http }: Leaseboard): Dashboard {
    const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: WIDTH });
    const each = Object.values(functions);
    return new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph('Cards', [metrics.ready(), metrics.leased(), metrics.dead()]),
          graph('Oldest ready card, s', [metrics.queueAge()]),
        ],
        [
          graph('Leases expired, claims contended', [metrics.leaseExpired(), metrics.contention()]),
          graph('Webhook attempts failed', [metrics.webhookFailures()]),
        ],
        [
          graph('Requests and 5xx', [http.api.metricCount(), http.api.metricServerError()]),
          graph('Latency p99, ms', [http.api.metricLatency({ statistic: 'p99' })]),
        ],
        [
          graph(
            'Errors',
            each.map((one) => one.metricErrors()),
          ),
          graph(
            'Throttles',
            each.map((one) => one.metricThrottles()),
          ),
        ],
      ],
    });
  }
}

/** What each alarm looks at. */
function metricsOf({ metrics, http, functions, deadLetterQueues }: Leaseboard): Record<AlarmName, IMetric> {
  const throttles = Object.entries(functions).map(([name, one]) => [
    name,
    one.metricThrottles({ period: PERIOD }),
  ]);
  const reaperQueue = deadLetterQueues.get('reaper');
  if (reaperQueue === undefined) throw new Error('The reaper has no queue of dead letters.');
  return {
    'queue-age': metrics.queueAge({ period: PERIOD }),
    'dead-cards': metrics.dead({ period: PERIOD }),
    'leases-expiring': metrics.leaseExpired({ period: PERIOD }),
    'webhook-failures': metrics.webhookFailures({ period: PERIOD }),
    'server-errors': http.api.metricServerError({ period: PERIOD, statistic: 'Sum' }),
    latency: http.api.metricLatency({ period: PERIOD, statistic: 'p99' }),
    throttles: new MathExpression({
      expression: throttles.map(([name]) => String(name)).join('+'),
      usingMetrics: Object.fromEntries(throttles) as Record<string, IMetric>,
      period: PERIOD,
      label: 'Throttled invocations',
    }),
    'reaper-failing': reaperQueue.metricApproximateNumberOfMessagesVisible({ period: MINUTE }),
  };
}
