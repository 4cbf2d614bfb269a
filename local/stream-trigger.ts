/** The event source mapping in small: polls the table's stream and starts a function with what its filters let through. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { StreamTrigger } from '../functions/manifest.ts';
import { matchesPattern } from './event-pattern.ts';
import type { ErrorLog } from './http-server.ts';
import type { LocalFunction } from './lambda.ts';
import { ShardReader, type StreamRecord } from './shard-reader.ts';
import { openCheckpoint, type Checkpoint } from './stream-checkpoint.ts';
import { deliverBatch, type DeliveryOptions } from './stream-delivery.ts';

/** Lambda asks four times a second; here one waits at the screen. */
const POLL_MS = 50;
/** New shards are looked for this often, and when one has ended. */
const SHARDS_MS = 10_000;
/** After an error, of a database that is just being ended for instance. */
const ERROR_PAUSE_MS = 1_000;

export interface StreamTriggerOptions {
  readonly endpoint: string;
  readonly tableName: string;
  readonly target: LocalFunction;
  readonly trigger: StreamTrigger;
  /** Where the place in the stream is kept; null for memory. */
  readonly checkpointFile: string | null;
  readonly logError: ErrorLog;
}

export interface RunningTrigger {
  /** No further batch; resolves when the one under way is finished. */
  readonly stop: () => Promise<void>;
}

/** @throws Error when the table has no stream. */
export async function startStreamTrigger(options: StreamTriggerOptions): Promise<RunningTrigger> {
  const { endpoint, tableName, target, trigger, logError } = options;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const clientOptions = { endpoint, region: 'us-east-1', credentials };
  const streamArn = await streamOf(new DynamoDBClient(clientOptions), tableName);
  const checkpoint = await openCheckpoint(options.checkpointFile, streamArn);
  const client = new DynamoDBStreamsClient(clientOptions);
  const stopping = new AbortController();
  const delivery = { target, trigger, streamArn, logError, signal: stopping.signal };
  const poller = new StreamPoller(client, checkpoint, delivery, trigger);
  const running = poller.run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      client.destroy();
    },
  };
}

async function streamOf(client: DynamoDBClient, tableName: string): Promise<string> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream.`);
    return Table.LatestStreamArn;
  } finally {
    client.destroy();
  }
}

class StreamPoller {
  readonly #client: DynamoDBStreamsClient;
  readonly #checkpoint: Checkpoint;
  readonly #delivery: DeliveryOptions;
  readonly #trigger: StreamTrigger;
  readonly #readers = new Map<string, ShardReader>();
  #shardsReadAt = Number.NEGATIVE_INFINITY;

  constructor(
    client: DynamoDBStreamsClient,
    checkpoint: Checkpoint,
    delivery: DeliveryOptions,
    trigger: StreamTrigger,
  ) {
    this.#client = client;
    this.#checkpoint = checkpoint;
    this.#delivery = delivery;
    this.#trigger = trigger;
  }

  async run(): Promise<void> {
    const { signal, target, logError } = this.#delivery;
    let failing = false;
    while (!signal.aborted) {
      try {
        const found = await this.#round();
        failing = false;
        if (!found) await wait(POLL_MS, signal);
      } catch (error) {
        if (!signal.aborted && !failing) logError(`Reading the stream for ${target.name}`, error);
        failing = true;
        await wait(ERROR_PAUSE_MS, signal);
      }
    }
  }

  /** True when any shard had records. */
  async #round(): Promise<boolean> {
    await this.#findShards();
    let found = false;
    for (const reader of this.#readers.values()) {
      if (reader.ended || this.#isBehindParent(reader)) continue;
      const records = await reader.read();
      found ||= records.length > 0;
      await this.#handle(reader.shardId, records);
      if (reader.ended) this.#shardsReadAt = Number.NEGATIVE_INFINITY;
    }
    return found;
  }

  /** A card's records go on in the child of a shard that was closed: in order, the parent comes first. */
  #isBehindParent({ parentId }: ShardReader): boolean {
    const parent = parentId === null ? undefined : this.#readers.get(parentId);
    return parent !== undefined && !parent.ended;
  }

  async #findShards(): Promise<void> {
    if (performance.now() - this.#shardsReadAt < SHARDS_MS) return;
    const { streamArn } = this.#delivery;
    let start: string | undefined;
    do {
      const answer = await this.#client.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: start }),
      );
      for (const { ShardId: shardId, ParentShardId } of answer.StreamDescription?.Shards ?? []) {
        if (shardId === undefined || this.#readers.has(shardId)) continue;
        const place = { streamArn, shardId, parentId: ParentShardId ?? null };
        const after = this.#checkpoint.after(shardId);
        this.#readers.set(shardId, new ShardReader(this.#client, { ...place, after }));
      }
      start = answer.StreamDescription?.LastEvaluatedShardId;
    } while (start !== undefined);
    this.#shardsReadAt = performance.now();
  }

  /** Batches of what the filters let through. What they leave out is handled with the batch that it lies in. */
  async #handle(shardId: string, records: readonly StreamRecord[]): Promise<void> {
    let batch: StreamRecord[] = [];
    for (const [at, record] of records.entries()) {
      if (this.#isWanted(record)) batch.push(record);
      const isLast = at === records.length - 1;
      if (batch.length < this.#trigger.batchSize && !isLast) continue;
      if (batch.length > 0 && !(await deliverBatch(this.#delivery, batch))) return;
      batch = [];
      await this.#checkpoint.record(shardId, record.dynamodb?.SequenceNumber ?? '');
    }
  }

  /** A filter sees the `dynamodb` part of a record only. */
  #isWanted({ dynamodb }: StreamRecord): boolean {
    return this.#trigger.filters.some((filter) => matchesPattern(filter, { dynamodb }));
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
