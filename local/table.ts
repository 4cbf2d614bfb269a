import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TTL_ATTRIBUTE, tableDefinition } from '../shared/store/table.ts';
import { UserError } from './user-error.ts';

/** DynamoDB Local makes a table in 10 ms; one that is reached over a network may take its time. */
const TABLE_LIMIT_SECONDS = 60;

/**
 * Creates the table with its expiry, unless it is there.
 *
 * @returns whether it was created, which makes this a first start.
 * @throws UserError when nothing answers at the endpoint.
 */
export async function ensureTable(endpoint: string, tableName: string): Promise<boolean> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const isNew = await create(client, tableName);
    await waitUntilTableExists({ client, maxWaitTime: TABLE_LIMIT_SECONDS }, { TableName: tableName });
    if (isNew) await expire(client, tableName);
    return isNew;
  } catch (error) {
    if (isUnreachable(error)) throw new UserError(`No DynamoDB answers at ${endpoint}. Is it running?`);
    throw error;
  } finally {
    client.destroy();
  }
}

async function create(client: DynamoDBClient, tableName: string): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(tableDefinition(tableName)));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

async function expire(client: DynamoDBClient, tableName: string): Promise<void> {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: TTL_ATTRIBUTE };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(error.code))
  );
}
