/** What is in the stream of a test's table. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { ShardReader, type StreamRecord } from '../../local/shard-reader.ts';
import type { TestTable } from './dynamodb.ts';

/** Every record so far, in the order of each shard. */
export async function readStream(table: TestTable): Promise<StreamRecord[]> {
  return (await StreamTail.of(table)).read();
}

/** Reads a stream on and on. */
export class StreamTail {
  readonly #readers: readonly ShardReader[];

  private constructor(readers: readonly ShardReader[]) {
    this.#readers = readers;
  }

  static async of(table: TestTable): Promise<StreamTail> {
    const client = new DynamoDBStreamsClient({
      endpoint: table.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const streamArn = await streamArnOf(table);
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const shards = StreamDescription?.Shards ?? [];
    return new StreamTail(
      shards.map(
        ({ ShardId: shardId = '' }) =>
          new ShardReader(client, { streamArn, shardId, parentId: null, after: null }),
      ),
    );
  }

  /** What has come since the last call, at first everything: all that was written before the call is among it. */
  async read(): Promise<StreamRecord[]> {
    const records: StreamRecord[] = [];
    for (const reader of this.#readers) {
      // An empty answer may mean an iterator that went stale; a second one means that there is nothing.
      for (let empty = 0; empty < 2;) {
        const read = await reader.read();
        records.push(...read);
        empty = read.length === 0 ? empty + 1 : 0;
      }
    }
    return records;
  }
}

export async function streamArnOf({ client, tableName }: TestTable): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}
