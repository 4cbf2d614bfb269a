/** Counts the rounds of calls to the table: calls that are under way at the same time are one round. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export function countRounds(client: DynamoDBDocumentClient): () => number {
  let underWay = 0;
  let rounds = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      if (underWay === 0) rounds += 1;
      underWay += 1;
      try {
        return await next(args);
      } finally {
        underWay -= 1;
      }
    },
    { step: 'initialize', name: 'countRounds' },
  );
  return () => rounds;
}
