/** A value for every name that a function may ask for. */
import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { EnvName } from '../shared/env.ts';
import type { LeaseboardProps } from './leaseboard-props.ts';
import type { Leaseboard } from './leaseboard.ts';
import type { LeaseboardMetrics } from './metrics.ts';
import { samplingRateOf } from './tracing.ts';

/** The API's own bound on `wait_seconds`; the gateway would cut any integration off at 30 s. */
const LONG_POLL_LIMIT = Duration.seconds(20);

type Parts = Pick<
  Leaseboard,
  'node' | 'table' | 'leaseKeySecret' | 'adminTokenSecret' | 'eventBus' | 'deliveries' | 'attachments'
>;

export function environmentFor(
  parts: Parts & Leaseboard,
  props: LeaseboardProps,
  metrics: LeaseboardMetrics,
): Record<EnvName, string> {
  const { deliveries } = parts;
  return {
    TABLE_NAME: parts.table.tableName,
    LEASE_KEY_SECRET_ID: parts.leaseKeySecret.secretArn,
    MAX_WAIT_SECONDS: String(longPollSeconds(props.longPollMaxWait)),
    EVENT_BUS_NAME: parts.eventBus.eventBusArn,
    DELIVERY_QUEUE_URL: deliveries.queue.queueUrl,
    DELIVERY_QUEUE_ARN: deliveries.queue.queueArn,
    DELIVERY_SCHEDULE_GROUP: deliveries.scheduleGroup.ref,
    DELIVERY_SCHEDULE_ROLE_ARN: deliveries.scheduleRole.roleArn,
    WEBHOOK_TARGETS: 'public',
    ATTACHMENTS_URL: parts.attachments.url,
    OIDC: oidcSettings(parts, props),
    ADMIN_TOKEN_SECRET_ID: parts.adminTokenSecret?.secretArn ?? 'none',
    METRICS_NAMESPACE: metrics.namespace,
    TRACE_RATE: String(samplingRateOf(props)),
    TRACES_URL: `https://xray.${Stack.of(parts).region}.${Aws.URL_SUFFIX}/v1/traces`,
  };
}

function longPollSeconds(maxWait: Duration = Duration.seconds(0)): number {
  const seconds = maxWait.toSeconds();
  if (seconds > LONG_POLL_LIMIT.toSeconds()) {
    throw new Error(
      `longPollMaxWait is ${seconds} s: the API holds a claim for at most ${LONG_POLL_LIMIT.toSeconds()} s, so set 20 or less.`,
    );
  }
  return seconds;
}

function oidcSettings(scope: Leaseboard, props: LeaseboardProps): string {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcGroupScopes: groups = {} } = props;
  if (issuer === undefined && audience === undefined) return 'none';
  if (issuer === undefined || audience === undefined) {
    throw new Error('oidcIssuer and oidcAudience go together: give both, or neither.');
  }
  const group_scopes = Object.fromEntries(Object.entries(groups).map(([group, { name }]) => [group, name]));
  const groups_claim = props.oidcGroupsClaim ?? 'groups';
  return Stack.of(scope).toJsonString({ issuer, audience, groups_claim, group_scopes });
}
