import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createTestTable } from '../support/dynamodb.ts';

test('a test table is on the DynamoDB Local of the run', async () => {
  const { client, tableName } = await createTestTable();
  const { TableNames } = await client.send(new ListTablesCommand());
  expect(TableNames).toContain(tableName);
});
