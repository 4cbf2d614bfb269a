import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, inject } from 'vitest';
import { startDynamoDbLocal, type DynamoDbLocal } from '../../local/dynamodb-local.ts';
import { tableDefinition } from '../../shared/store/table.ts';

/** As many as a batch of 100 leases needs at once; the SDK's own 50 would make half of them queue. */
const MAX_SOCKETS = 128;

export interface TestTable {
  readonly tableName: string;
  readonly endpoint: string;
  /** For a client of one's own; DynamoDB Local takes any credentials. */
  readonly clientOptions: DynamoDBClientConfig;
  readonly client: DynamoDBClient;
}

/**
 * A fresh, empty table with the product's own definition, on the run's DynamoDB Local. One per test file.
 *
 * With a stream only when asked for, and then on a DynamoDB Local of the file's own: each write to a table with
 * a stream looks through the records of every other stream of that database, until a run of a hundred files takes
 * fifty times as long.
 */
export async function createTestTable({ stream = false } = {}): Promise<TestTable> {
  const endpoint = stream ? await streamDatabase() : inject('dynamodbEndpoint');
  const clientOptions = testClientOptions(endpoint);
  const client = new DynamoDBClient(clientOptions);
  const tableName = `test-${randomUUID()}`;
  const { StreamSpecification, ...definition } = tableDefinition(tableName);
  await client.send(new CreateTableCommand(stream ? { ...definition, StreamSpecification } : definition));
  return { tableName, endpoint, clientOptions, client };
}

let started: Promise<DynamoDbLocal> | undefined;

async function streamDatabase(): Promise<string> {
  started ??= startDynamoDbLocal(null);
  return (await started).endpoint;
}

afterAll(async () => (await started)?.stop());

export function testClientOptions(endpoint: string): DynamoDBClientConfig {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { httpAgent: { maxSockets: MAX_SOCKETS } },
  };
}
