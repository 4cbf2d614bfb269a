/** What a soak leaves: the workers' histories, and the table, read from the database once everything else has ended. */
import { readFileSync } from 'node:fs';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import type { Item } from '../../shared/store/params.ts';
import { LANES_INDEX } from '../../shared/store/table.ts';
import type { Call } from '../sim/recording.ts';

/** DynamoDB Local takes any region and credentials. */
const ANY = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Calls as their makers saw them; of those answered the answer, of the others that they were made. */
export function readHistory(path: string): Call[] {
  const calls = new Map<string, Call>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    // Of a worker killed while it wrote, the last line may be cut short.
    if (!line.endsWith('}')) continue;
    const call = JSON.parse(line) as Call;
    calls.set(`${call.actor} ${call.verb} ${call.invoked} ${call.key ?? call.cardId ?? ''}`, call);
  }
  return [...calls.values()];
}

/** Every item and every entry of the index of lanes, from the directory of a stack that has ended. */
export async function readTable(directory: string): Promise<{ items: Item[]; lanes: Item[] }> {
  const database = await startDynamoDbLocal(directory);
  try {
    const client = new DynamoDBClient({ endpoint: database.endpoint, ...ANY });
    const { TableNames } = await client.send(new ListTablesCommand({}));
    const documents = DynamoDBDocumentClient.from(client);
    const scan = async (index: object): Promise<Item[]> => {
      const found: Item[] = [];
      let start: Item | undefined;
      do {
        const page = await documents.send(
          new ScanCommand({ TableName: TableNames?.[0], ExclusiveStartKey: start, ...index }),
        );
        found.push(...(page.Items ?? []));
        start = page.LastEvaluatedKey;
      } while (start !== undefined);
      return found;
    };
    return { items: await scan({}), lanes: await scan({ IndexName: LANES_INDEX }) };
  } finally {
    await database.stop();
  }
}
