/** What the functions and the AWS SDK read from the environment, pointed at this machine. */
import type { OidcSettings } from '../shared/auth/oidc.ts';
import type { EnvName } from '../shared/env.ts';

/** What every client of this machine's endpoints signs with. */
export const LOCAL_REGION = 'us-east-1';
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** As long as a call may wait for a card here. In an account it is off unless set: each wait holds an execution. */
const MAX_WAIT_SECONDS = 20;
const EVENT_BUS_NAME = 'leaseboard';

/**
 * Variables that would send the SDK elsewhere or make it ask for real credentials. It must not reach an account
 * by accident, whatever the shell of the person has set.
 */
const REMOVED = [
  'AWS_PROFILE',
  'AWS_SESSION_TOKEN',
  'AWS_DEFAULT_PROFILE',
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
] as const;

export interface LocalEnvironment {
  readonly tableName: string;
  readonly leaseKeySecretId: string;
  readonly dynamodbUrl: string;
  readonly secretsUrl: string;
  readonly eventBridgeUrl: string;
  readonly sqsUrl: string;
  readonly schedulerUrl: string;
  readonly attachmentsUrl: string;
  readonly deliveryQueue: { readonly url: string; readonly arn: string };
  /** Identity provider of people; left out for none. */
  readonly oidc?: OidcSettings | undefined;
}

/** Changes `process.env`. To be called before a handler is imported: they read it as they load. */
export function setEnvironment(local: LocalEnvironment): void {
  for (const name of REMOVED) delete process.env[name];
  const own: Record<EnvName, string> = {
    TABLE_NAME: local.tableName,
    LEASE_KEY_SECRET_ID: local.leaseKeySecretId,
    MAX_WAIT_SECONDS: String(MAX_WAIT_SECONDS),
    EVENT_BUS_NAME,
    DELIVERY_QUEUE_URL: local.deliveryQueue.url,
    DELIVERY_QUEUE_ARN: local.deliveryQueue.arn,
    DELIVERY_SCHEDULE_GROUP: 'deliveries',
    DELIVERY_SCHEDULE_ROLE_ARN: 'arn:aws:iam::000000000000:role/deliveries',
    // Receivers under development run on this machine; nothing else that is private can be reached.
    WEBHOOK_TARGETS: 'loopback',
    ATTACHMENTS_URL: local.attachmentsUrl,
    OIDC: local.oidc === undefined ? 'none' : JSON.stringify(local.oidc),
    ADMIN_TOKEN_SECRET_ID: 'none',
    METRICS_NAMESPACE: 'Leaseboard/local',
    TRACE_RATE: '0',
    TRACES_URL: 'none',
  };
  Object.assign(process.env, own, {
    AWS_ENDPOINT_URL_DYNAMODB: local.dynamodbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: local.secretsUrl,
    AWS_ENDPOINT_URL_EVENTBRIDGE: local.eventBridgeUrl,
    AWS_ENDPOINT_URL_SQS: local.sqsUrl,
    AWS_ENDPOINT_URL_SCHEDULER: local.schedulerUrl,
    AWS_REGION: LOCAL_REGION,
    AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
  });
}
