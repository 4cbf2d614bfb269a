/**
 * Names of the environment variables, in one home: infra and the local runtime set what the functions read.
 * This is the one place in the engine and the functions that reads `process.env`.
 */
export const ENV_NAMES = [
  'TABLE_NAME',
  'LEASE_KEY_SECRET_ID',
  'MAX_WAIT_SECONDS',
  'EVENT_BUS_NAME',
  'DELIVERY_QUEUE_URL',
  'DELIVERY_QUEUE_ARN',
  'DELIVERY_SCHEDULE_GROUP',
  'DELIVERY_SCHEDULE_ROLE_ARN',
  'WEBHOOK_TARGETS',
  'ATTACHMENTS_URL',
  'OIDC',
  'ADMIN_TOKEN_SECRET_ID',
  'METRICS_NAMESPACE',
  'TRACE_RATE',
  'TRACES_URL',
] as const;

export type EnvName = (typeof ENV_NAMES)[number];

/** Value of a variable; a missing one fails the cold start by name instead of the first request by accident. */
export function readEnv(name: EnvName): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`Environment variable ${name} is not set: the manifest lists what each function needs.`);
  }
  return value;
}
