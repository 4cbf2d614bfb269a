/** A client that tells of each call and what came of it. */
import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../../shared/store/client.ts';
import type { World } from '../../support/world.ts';
import type { Call } from './aws-units.ts';
import { itemBytes } from './item-bytes.ts';

export interface Listening {
  readonly onCall: (call: Call) => void;
  /** Wraps each call, to hold its answer back. */
  readonly around?: <T>(call: () => Promise<T>) => Promise<T>;
}

export function listeningClient(
  world: World,
  { onCall, around = (call) => call() }: Listening,
): DynamoDBDocumentClient {
  const client = documentClient(world.table.clientOptions);
  const weigh = itemWeigher(world);
  client.middlewareStack.add(
    (next, context) => (args) =>
      around(async () => {
        const command = String(context.commandName);
        const keys = command === 'TransactWriteItemsCommand' ? keysOf(args.input) : null;
        const before = keys === null ? null : await weigh(keys);
        const tell = async (answer: Call['answer']) => {
          const after = keys === null ? null : await weigh(keys);
          const sizes = after?.map((bytes, at) => Math.max(bytes, before?.[at] ?? 0));
          onCall({ command, input: args.input, answer, ...(sizes === undefined ? {} : { sizes }) });
        };
        try {
          const result = await next(args);
          await tell({ output: Object(result.output) });
          return result;
        } catch (error) {
          await tell({ error });
          throw error;
        }
      }),
    // First of all, so that the SDK's own repeats are one call.
    { step: 'initialize', name: 'listen', priority: 'high' },
  );
  return client;
}

type Keys = Record<string, unknown>[];

function keysOf(input: object): Keys {
  const { TransactItems = [] } = input as TransactWriteItemsInput;
  return TransactItems.map(({ Put, Update, Delete }) => {
    const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
    return { pk, sk };
  });
}

/** Bytes of items as they are in the table, read beside what is measured; 0 for one that is not there. */
function itemWeigher({ table }: World): (keys: Keys) => Promise<number[]> {
  const client = documentClient(table.clientOptions);
  const name = (key: Record<string, unknown>) => `${String(key['pk'])} ${String(key['sk'])}`;
  return async (keys) => {
    const request = { [table.tableName]: { Keys: keys, ConsistentRead: true } };
    const { Responses } = await client.send(new BatchGetCommand({ RequestItems: request }));
    const found = new Map(Responses?.[table.tableName]?.map((item) => [name(item), itemBytes(item)]));
    return keys.map((key) => found.get(name(key)) ?? 0);
  };
}
