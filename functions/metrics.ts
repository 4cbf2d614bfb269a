/**
 * Metrics, written into the log in CloudWatch's embedded format: no call, and no permission. One value each for the
 * whole installation, and for the columns that somebody asked for: CloudWatch charges $0.30 a month for each.
 */
import type { LogFields } from './http/log.ts';

export const METRICS = {
  queueAge: { name: 'QueueAge', unit: 'Seconds' },
  ready: { name: 'Ready', unit: 'Count' },
  leased: { name: 'Leased', unit: 'Count' },
  dead: { name: 'Dead', unit: 'Count' },
  expired: { name: 'Expired', unit: 'Count' },
  webhookFailures: { name: 'WebhookFailures', unit: 'Count' },
  /** Counted by a filter on the log of claims, which carries no code for it. */
  contended: { name: 'Contended', unit: 'Count' },
} as const;

export type MetricName = keyof typeof METRICS;

/**
 * @param namespace Of this installation.
 * @param now Milliseconds since the epoch.
 * @param column Id of the one column that the values are of; none for the whole installation.
 */
export function metricFields(
  namespace: string,
  now: number,
  values: Partial<Record<MetricName, number>>,
  column?: string,
): LogFields {
  const entries = Object.entries(values) as [MetricName, number][];
  return {
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [column === undefined ? [] : ['Column']],
          Metrics: entries.map(([key]) => ({ Name: METRICS[key].name, Unit: METRICS[key].unit })),
        },
      ],
    },
    ...(column === undefined ? {} : { Column: column }),
    ...Object.fromEntries(entries.map(([key, value]) => [METRICS[key].name, value])),
  };
}
