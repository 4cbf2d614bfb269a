/** What is in the stream of a test's table. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { ShardReader, type StreamRecord } from '../../local/shard-reader.ts';
import type { TestTable } from './dynamodb.ts';

/** Every record so far, in the order of each shard. */
export async function readStream(table: TestTable): Promise<StreamRecord[]> {
  const records: StreamRecord[] = [];
  for (const reader of await shardReaders(table)) {
    for (let read = await reader.read(); read.length > 0; read = await reader.read()) records.push(...read);
  }
  return records;
}

async function shardReaders(table: TestTable): Promise<ShardReader[]> {
  const client = new DynamoDBStreamsClient({
    endpoint: table.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const streamArn = await streamArnOf(table);
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  return (StreamDescription?.Shards ?? []).map(
    ({ ShardId: shardId = '' }) =>
      new ShardReader(client, { streamArn, shardId, parentId: null, after: null }),
  );
}

export async function streamArnOf({ client, tableName }: TestTable): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}
