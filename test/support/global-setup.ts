import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL of the DynamoDB Local that the whole run shares. */
    dynamodbEndpoint: string;
  }
}

/** One DynamoDB Local, in memory, for the whole run: a table takes 10 ms, a database of its own 1.5 s. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await startDynamoDbLocal(null);
  project.provide('dynamodbEndpoint', database.endpoint);
  return async () => database.stop();
}
