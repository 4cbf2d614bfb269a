/** The SDK's document client in front of the table in memory: the seven commands of the Store, and no other. */
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
import type { Item } from '../../../shared/store/params.ts';
import { get, put, query, remove, transact, update, type KnownTokens } from './commands.ts';
import type { MemoryTable } from './memory-table.ts';

/** Carries out one command at once, and answers as the service would. */
export type Serve = (command: unknown) => Item;

/** A table's service: what it keeps beside the items are the tokens of its transactions. */
export function createService(table: MemoryTable): Serve {
  const tokens: KnownTokens = new Map();
  return (command) => {
    if (command instanceof GetCommand) return withItem(get(table, command.input.Key));
    if (command instanceof BatchGetCommand) return batchGet(table, command);
    if (command instanceof QueryCommand) return query(table, command.input);
    if (command instanceof UpdateCommand) return { Attributes: update(table, command.input) };
    if (command instanceof TransactWriteCommand) {
      transact(table, command.input.TransactItems ?? [], command.input.ClientRequestToken, tokens);
      return {};
    }
    if (command instanceof PutCommand) put(table, command.input);
    else if (command instanceof DeleteCommand) remove(table, command.input);
    else throw new TypeError('The Store sends no such command');
    return {};
  };
}

const withItem = (item: Item | undefined): Item => (item === undefined ? {} : { Item: item });

function batchGet(table: MemoryTable, command: BatchGetCommand): Item {
  const Responses: Record<string, Item[]> = {};
  for (const [name, request] of Object.entries(command.input.RequestItems ?? {})) {
    Responses[name] = (request.Keys ?? []).flatMap((key): Item[] => {
      const item = get(table, key);
      return item === undefined ? [] : [item];
    });
  }
  return { Responses };
}

/** A client that sends through `send`, for a Store. It has nothing else of the SDK's client. */
export function clientOf(send: (command: unknown) => Promise<Item>): DynamoDBDocumentClient {
  return { send } as unknown as DynamoDBDocumentClient;
}

/** A client whose answers are there at once. */
export function memoryClient(table: MemoryTable): DynamoDBDocumentClient {
  const serve = createService(table);
  return clientOf(async (command) => serve(command));
}
