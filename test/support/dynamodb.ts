import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
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

/** A fresh, empty table on the run's DynamoDB Local, with the product's own definition. One per test file. */
export async function createTestTable(): Promise<TestTable> {
  const endpoint = inject('dynamodbEndpoint');
  const clientOptions = testClientOptions(endpoint);
  const client = new DynamoDBClient(clientOptions);
  const tableName = `test-${randomUUID()}`;
  await client.send(new CreateTableCommand(tableDefinition(tableName)));
  return { tableName, endpoint, clientOptions, client };
}

export function testClientOptions(endpoint: string): DynamoDBClientConfig {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { httpAgent: { maxSockets: MAX_SOCKETS } },
  };
}
