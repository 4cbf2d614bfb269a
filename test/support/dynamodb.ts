import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, inject } from 'vitest';
import { startDynamoDbLocal, type DynamoDbLocal } from '../../local/dynamodb-local.ts';
import { tableDefinition } from '../../shared/store/table.ts';
import { testClientOptions } from './client-options.ts';

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

// The bench makes worlds outside of the runner, and none with a stream.
if (process.env['VITEST'] !== undefined) afterAll(async () => (await started)?.stop());
