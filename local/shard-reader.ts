/** Reads one shard of a table's stream, from a place in it on. */
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type DynamoDBStreamsClient,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';

export type { StreamRecord };

/** As Lambda's own poller: a batch is cut from what is read. */
const READ_LIMIT = 1_000;

/**
 * The iterator no longer leads anywhere. DynamoDB Local also says so of one that was taken on an empty shard before
 * the first write.
 */
const STALE = new Set(['TrimmedDataAccessException', 'ExpiredIteratorException']);

export class ShardReader {
  readonly shardId: string;
  readonly parentId: string | null;
  readonly #client: DynamoDBStreamsClient;
  readonly #streamArn: string;
  #after: string | null;
  #iterator: string | null = null;
  #ended = false;

  constructor(
    client: DynamoDBStreamsClient,
    place: { streamArn: string; shardId: string; parentId: string | null; after: string | null },
  ) {
    this.#client = client;
    this.#streamArn = place.streamArn;
    this.shardId = place.shardId;
    this.parentId = place.parentId;
    this.#after = place.after;
  }

  /** Closed and read to its end. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The next records; none when there are none now. */
  async read(): Promise<readonly StreamRecord[]> {
    if (this.#ended) return [];
    try {
      this.#iterator ??= await this.#openIterator();
      const answer = await this.#client.send(
        new GetRecordsCommand({ ShardIterator: this.#iterator, Limit: READ_LIMIT }),
      );
      this.#iterator = answer.NextShardIterator ?? null;
      this.#ended = this.#iterator === null;
      const records = answer.Records ?? [];
      this.#after = records.at(-1)?.dynamodb?.SequenceNumber ?? this.#after;
      return records;
    } catch (error) {
      if (!(error instanceof Error && STALE.has(error.name))) throw error;
      // What was there is trimmed: on from the oldest that is left.
      if (error.name === 'TrimmedDataAccessException') this.#after = null;
      this.#iterator = null;
      return [];
    }
  }

  async #openIterator(): Promise<string> {
    const place =
      this.#after === null
        ? { ShardIteratorType: 'TRIM_HORIZON' as const }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: this.#after };
    const answer = await this.#client.send(
      new GetShardIteratorCommand({ StreamArn: this.#streamArn, ShardId: this.shardId, ...place }),
    );
    if (answer.ShardIterator === undefined) throw new Error(`No iterator for the shard ${this.shardId}`);
    return answer.ShardIterator;
  }
}
