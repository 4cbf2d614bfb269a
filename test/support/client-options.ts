/** How tests and benches reach DynamoDB Local. */
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/** As many as a batch of 100 leases needs at once; the SDK's own 50 would make half of them queue. */
const MAX_SOCKETS = 128;

export function testClientOptions(endpoint: string): DynamoDBClientConfig {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { httpAgent: { maxSockets: MAX_SOCKETS } },
  };
}
