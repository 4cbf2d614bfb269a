/** The alarms: when each goes off, and what it says. Its runbook is docs/runbooks/<name>.md. */

interface AlarmSpec {
  /** Goes off above it. */
  readonly threshold: number;
  /** So many periods of five minutes in a row; of one minute for queues. */
  readonly periods: number;
  readonly says: string;
}

export const ALARMS = {
  'queue-age': {
    threshold: 3_600,
    periods: 3,
    says: 'The oldest ready card has waited for an hour: no worker takes it.',
  },
  'dead-cards': {
    threshold: 0,
    periods: 1,
    says: 'Cards have used up their attempts and wait for a person.',
  },
  'leases-expiring': {
    threshold: 20,
    periods: 3,
    says: 'Leases end unheard: workers crash, hang or are throttled.',
  },
  'webhook-failures': {
    threshold: 50,
    periods: 3,
    says: 'Receivers of webhooks do not take what they are sent.',
  },
  'server-errors': { threshold: 5, periods: 1, says: 'Requests are answered with 5xx.' },
  latency: { threshold: 3_000, periods: 3, says: 'One request in a hundred takes over three seconds.' },
  throttles: { threshold: 0, periods: 2, says: 'Lambda refuses executions: the concurrency is used up.' },
  'reaper-failing': { threshold: 0, periods: 1, says: 'Runs of the reaper failed; the queue keeps each.' },
} as const satisfies Record<string, AlarmSpec>;

export type AlarmName = keyof typeof ALARMS;
