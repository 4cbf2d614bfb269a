/**
 * Sending: the few calls that the engine makes to the table, with conflicts tried again and refusals turned
 * into values. It knows nothing of cards.
 */
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Deps } from '../deps.ts';
import { CONFLICT_JITTER_MS, CONFLICT_RETRIES } from '../policy.ts';
import { busy, isConflict, isRefusal, oldItem, refusals } from './faults.ts';
import { BATCH_GET_MAX } from './limits.ts';
import type { Key } from './keys.ts';
import { conditionText, transactItem, updateText, type Item, type Update, type Write } from './params.ts';

/** DynamoDB takes a client request token of at most 36 characters. */
const TOKEN_BYTES = 24;

/** Outcome of a conditional write: the new item where DynamoDB gives one, or the item that refused it. */
export type Written = { ok: true; item: Item | undefined } | { ok: false; old: Item | undefined };

/** Outcome of a transaction: for each part whether its own condition refused, and by what item. */
export type Transacted = { ok: true } | { ok: false; refused: ({ old: Item | undefined } | null)[] };

export interface QueryInput {
  readonly index?: string;
  readonly pk: { readonly name: string; readonly value: string };
  readonly sk?: { readonly name: string; readonly prefix?: string; readonly until?: string };
  readonly limit?: number;
  readonly reverse?: boolean;
  readonly consistent?: boolean;
  readonly start?: Item;
}

/** Told of each answer's consumed capacity, when somebody measures. */
export type CapacityMeter = (operation: string, consumed: ConsumedCapacity | ConsumedCapacity[]) => void;

export interface StoreOptions {
  readonly tableName: string;
  readonly client: DynamoDBDocumentClient;
  readonly deps: Deps;
  readonly meter?: CapacityMeter;
}

export class Store {
  readonly tableName: string;
  readonly #client: DynamoDBDocumentClient;
  readonly #deps: Deps;
  readonly #meter: CapacityMeter | undefined;

  constructor(options: StoreOptions) {
    this.tableName = options.tableName;
    this.#client = options.client;
    this.#deps = options.deps;
    this.#meter = options.meter;
  }

  async get(key: Key, consistent = true): Promise<Item | undefined> {
    const answer = await this.#send('get', () =>
      this.#client.send(
        new GetCommand({
          TableName: this.tableName,
          Key: { ...key },
          ConsistentRead: consistent,
          ...this.#metered(),
        }),
      ),
    );
    return answer.Item;
  }

  /** Items in the order of their keys, `undefined` where there is none. Reads strongly. */
  async batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const found = new Map<string, Item>();
    const name = (key: Item | Key) =>
      `${String(key['pk' as keyof typeof key])}\n${String(key['sk' as keyof typeof key])}`;
    const wanted = [...new Map(keys.map((key) => [name(key), { pk: key.pk, sk: key.sk }])).values()];
    const pages: Key[][] = [];
    for (let at = 0; at < wanted.length; at += BATCH_GET_MAX)
      pages.push(wanted.slice(at, at + BATCH_GET_MAX));
    await Promise.all(
      pages.map(async (page) => {
        for (const item of await this.#batchPage(page)) found.set(name(item), item);
      }),
    );
    return keys.map((key) => found.get(name(key)));
  }

  /** The items of a query page by page, each page read only when the one before is used up. */
  async *pages(input: QueryInput): AsyncGenerator<Item[]> {
    let start = input.start;
    do {
      const page = await this.query({ ...input, ...(start === undefined ? {} : { start }) });
      yield page.items;
      start = page.next;
    } while (start !== undefined);
  }

  async query(input: QueryInput): Promise<{ items: Item[]; next: Item | undefined }> {
    const { pk, sk } = input;
    const range =
      sk?.prefix !== undefined
        ? ' AND begins_with(#sk, :sk)'
        : sk?.until !== undefined
          ? ' AND #sk <= :sk'
          : '';
    const answer = await this.#send('query', () =>
      this.#client.send(
        new QueryCommand({
          TableName: this.tableName,
          IndexName: input.index,
          KeyConditionExpression: `#pk = :pk${range}`,
          ExpressionAttributeNames: { '#pk': pk.name, ...(range === '' ? {} : { '#sk': sk?.name ?? '' }) },
          ExpressionAttributeValues: {
            ':pk': pk.value,
            ...(range === '' ? {} : { ':sk': sk?.prefix ?? sk?.until }),
          },
          Limit: input.limit,
          ScanIndexForward: input.reverse !== true,
          ConsistentRead: input.consistent === true,
          ExclusiveStartKey: input.start,
          ...this.#metered(),
        }),
      ),
    );
    return { items: answer.Items ?? [], next: answer.LastEvaluatedKey };
  }

  /** One item's write, answered with the item as it is now (updates only) or the item that refused it. */
  async write(write: Write): Promise<Written> {
    try {
      const answer = await this.#send(write.kind, () => this.#sendWrite(write));
      return { ok: true, item: answer.Attributes };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { ok: false, old: oldItem(error) };
    }
  }

  /**
   * Writes that happen together or not at all. `ClientRequestToken` is made per call, so that a repeat by the
   * SDK after a lost answer is the same transaction.
   */
  async transact(writes: readonly Write[]): Promise<Transacted> {
    const input = {
      TransactItems: writes.map((write) => transactItem(this.tableName, write)),
      ...this.#metered(),
    };
    try {
      await this.#send('transact', () =>
        this.#client.send(
          new TransactWriteCommand({ ...input, ClientRequestToken: this.#deps.secret(TOKEN_BYTES) }),
        ),
      );
      return { ok: true };
    } catch (error) {
      const refused = refusals(error);
      if (refused === null) throw error;
      return { ok: false, refused };
    }
  }

  async #sendWrite(
    write: Write,
  ): Promise<{ Attributes?: Item | undefined; ConsumedCapacity?: ConsumedCapacity | undefined }> {
    const common = { TableName: this.tableName, ...this.#metered() };
    switch (write.kind) {
      case 'put':
        return this.#client.send(
          new PutCommand({ ...common, Item: write.item, ...conditionText(write.condition) }),
        );
      case 'delete':
        return this.#client.send(
          new DeleteCommand({ ...common, Key: { ...write.key }, ...conditionText(write.condition) }),
        );
      case 'update':
        return this.#client.send(
          new UpdateCommand({
            ...common,
            Key: { ...write.key },
            ReturnValues: 'ALL_NEW',
            ...conditionText(write.condition),
            ...updateText(write satisfies Update),
          }),
        );
    }
  }

  async #batchPage(page: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    let keys: Record<string, unknown>[] = page.map((key) => ({ ...key }));
    for (let attempt = 0; keys.length > 0; attempt += 1) {
      if (attempt > CONFLICT_RETRIES) throw busy(new Error('BatchGetItem left keys unprocessed'));
      if (attempt > 0) await this.#pause(attempt);
      const answer = await this.#send('batchGet', () =>
        this.#client.send(
          new BatchGetCommand({
            RequestItems: { [this.tableName]: { Keys: keys, ConsistentRead: true } },
            ...this.#metered(),
          }),
        ),
      );
      items.push(...(answer.Responses?.[this.tableName] ?? []));
      keys = answer.UnprocessedKeys?.[this.tableName]?.Keys ?? [];
    }
    return items;
  }

  /** Sends, and again with jitter while another transaction is in the way: the SDK retries no conflict. */
  async #send<T extends { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined }>(
    operation: string,
    call: () => Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await call();
        if (answer.ConsumedCapacity !== undefined) this.#meter?.(operation, answer.ConsumedCapacity);
        return answer;
      } catch (error) {
        if (!isConflict(error) || attempt >= CONFLICT_RETRIES) throw busy(error);
        await this.#pause(attempt);
      }
    }
  }

  async #pause(attempt: number): Promise<void> {
    await this.#deps.sleep(this.#deps.random() * CONFLICT_JITTER_MS * 2 ** attempt);
  }

  #metered(): { ReturnConsumedCapacity?: 'INDEXES' } {
    return this.#meter === undefined ? {} : { ReturnConsumedCapacity: 'INDEXES' };
  }
}
