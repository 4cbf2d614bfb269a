/** The whole stack on one machine, put together and taken apart in order. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { adminToken } from './admin-token.ts';
import { commitBarrier } from './commit-barrier.ts';
import { makeDataDirectory } from './data-directory.ts';
import { startDeliveries, type LocalDeliveries } from './delivery-queue.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION, setEnvironment } from './environment.ts';
import { startEventBridgeEndpoint } from './eventbridge-endpoint.ts';
import { loadFunctions } from './functions.ts';
import { gateway } from './gateway.ts';
import { listen, type ErrorLog, type LocalServer } from './http-server.ts';
import { installAdminToken } from './install-admin-token.ts';
import { leaseKey } from './lease-key.ts';
import { readOidcFile, type LocalOidc } from './oidc.ts';
import type { StartOptions } from './options.ts';
import { endEarlierStart, recordThisStart } from './own-record.ts';
import { startReaperSchedule } from './reaper-schedule.ts';
import { startS3Endpoint } from './s3-endpoint.ts';
import { startSecretsEndpoint } from './secrets-endpoint.ts';
import { startStreamTriggers } from './stream-triggers.ts';
import { ensureTable } from './table.ts';
import { waitUntil } from './wait-until.ts';
import { withBoard } from './web.ts';

const TABLE_NAME = 'leaseboard';
const SECRET_ID_BYTES = 16;
/** The first request loads code and connects; longer than that, something is broken. */
const HEALTH_LIMIT_MS = 15_000;

export interface Stack {
  readonly url: string;
  readonly adminToken: string;
  /** The table was made by this start. */
  readonly firstStart: boolean;
  /** Ends everything, the last started first. */
  readonly stop: () => Promise<void>;
}

/** What the stack serves: the product, or in a test something smaller. */
export interface StackParts {
  readonly loadFunctions: typeof loadFunctions;
  readonly installAdminToken: typeof installAdminToken;
}

type Step = () => Promise<void>;

/** @throws UserError for what the person can put right; everything started by then is ended again. */
export async function startStack(
  options: StartOptions,
  logError: ErrorLog,
  parts: StackParts = { loadFunctions, installAdminToken },
): Promise<Stack> {
  const cleanups: Step[] = [];
  const stop = async () => {
    for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) await step();
  };
  try {
    return { ...(await startParts(options, logError, parts, cleanups)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Each part that has started adds to `cleanups` how it is ended. */
async function startParts(
  options: StartOptions,
  logError: ErrorLog,
  parts: StackParts,
  cleanups: Step[],
): Promise<Omit<Stack, 'stop'>> {
  const { directory, oidcFile } = options;
  const oidc = oidcFile === null ? null : readOidcFile(oidcFile);
  await endEarlierStart(directory);
  // The port comes first, and is kept: a start that cannot have it must not touch the data.
  const server = await listen(options.port, logError);
  cleanups.push(server.close);
  if (directory !== null) makeDataDirectory(directory);
  cleanups.push(await recordThisStart(directory));
  const { dynamodbUrl, committed } = await startDatabase(options, cleanups);
  const firstStart = await ensureTable(dynamodbUrl, TABLE_NAME);
  const deliveries = await connectFunctions(dynamodbUrl, options, oidc, logError, cleanups);
  const functions = await parts.loadFunctions();
  const token = await adminToken(options.adminToken, directory);
  await parts.installAdminToken(token);
  const api = gateway(Object.values(functions), logError, committed);
  server.answerWith(withBoard(api, { signIn: oidc?.signIn ?? null }));
  // Again, to come before the ends of what requests need.
  cleanups.push(server.close);
  if (options.reaperSeconds !== null) {
    cleanups.push(startReaperSchedule(functions.reaper, options.reaperSeconds, logError).stop);
  }
  cleanups.push(deliveries.startSender(functions.sender).stop);
  const place = { endpoint: dynamodbUrl, tableName: TABLE_NAME, directory, logError };
  for (const trigger of await startStreamTriggers(functions, place)) cleanups.push(trigger.stop);
  await waitForHealth(server);
  return { url: server.url, adminToken: token, firstStart };
}

async function startDatabase(options: StartOptions, cleanups: Step[]) {
  if (options.dynamodbUrl !== null) {
    return { dynamodbUrl: options.dynamodbUrl, committed: commitBarrier(null) };
  }
  const directory = options.directory === null ? null : join(options.directory, 'dynamodb');
  const database = await startDynamoDbLocal(directory);
  cleanups.push(database.stop);
  return { dynamodbUrl: database.endpoint, committed: commitBarrier(directory) };
}

/**
 * Serves the lease key, under a name that only the environment tells, a bus, a queue and a bucket, and sets that
 * environment.
 */
async function connectFunctions(
  dynamodbUrl: string,
  { directory }: StartOptions,
  oidc: LocalOidc | null,
  logError: ErrorLog,
  cleanups: Step[],
): Promise<LocalDeliveries> {
  const leaseKeySecretId = `lease-key-${randomBytes(SECRET_ID_BYTES).toString('hex')}`;
  const secrets = await startSecretsEndpoint(leaseKeySecretId, await leaseKey(directory), logError);
  cleanups.push(secrets.close);
  const bus = await startEventBridgeEndpoint(logError);
  cleanups.push(bus.close);
  const deliveries = await startDeliveries(logError);
  cleanups.push(deliveries.close);
  const files = {
    directory: directory === null ? null : join(directory, 'attachments'),
    credentials: LOCAL_CREDENTIALS,
    region: LOCAL_REGION,
  };
  const bucket = await startS3Endpoint(files, logError);
  cleanups.push(bucket.close);
  setEnvironment({
    tableName: TABLE_NAME,
    leaseKeySecretId,
    dynamodbUrl,
    secretsUrl: secrets.url,
    eventBridgeUrl: bus.url,
    sqsUrl: deliveries.sqsUrl,
    schedulerUrl: deliveries.schedulerUrl,
    attachmentsUrl: bucket.bucketUrl,
    deliveryQueue: deliveries.queue,
    oidc: oidc?.settings,
  });
  return deliveries;
}

async function waitForHealth({ url }: LocalServer): Promise<void> {
  await waitUntil(`GET ${url}/healthz to answer 200`, HEALTH_LIMIT_MS, async () => {
    const response = await fetch(`${url}/healthz`);
    await response.body?.cancel();
    return response.status === 200;
  });
}
