/** The DynamoDB client with the time limits and sockets that the verbs count on. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const CONNECT_TIMEOUT_MS = 500;
/** Without `throwOnRequestTimeout` the SDK only logs a late answer and waits on. */
const REQUEST_TIMEOUT_MS = 2_000;
/** A batch of 100 renewals goes out at once; the SDK's own 50 would queue half of them. */
const SOCKETS = 128;

export function documentClient(config: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
    ...config,
  });
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  });
}
