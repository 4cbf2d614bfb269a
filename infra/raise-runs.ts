/**
 * `node infra/raise-runs.ts --table NAME`: raises the `run` of every card of a restored table, which is the fence of
 * its leases. A restored table is older than what was done with the one before: whoever kept a later fence, as they
 * should, would refuse all new work as stale. To be run before anything else reads the table; it may be run again.
 *
 * Leases that the restored table still holds are lost by it: their tokens name the number from before.
 */
import { parseArgs } from 'node:util';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../shared/store/client.ts';
import { jobKey } from '../shared/store/keys.ts';

const USAGE = 'node infra/raise-runs.ts --table NAME';

/** More attempts than a card can have had since, and far below what the number's place in keys can hold. */
const STEP = 1_000_000;

const client = documentClient();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { table: { type: 'string' } } });
  if (values.table === undefined) throw new Error(`--table is missing: ${USAGE}`);
  let cards = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({
        TableName: values.table,
        ProjectionExpression: 'pk, sk',
        FilterExpression: 'sk = :job',
        ExpressionAttributeValues: { ':job': jobKey('').sk },
        ExclusiveStartKey: start,
      }),
    );
    for (const { pk } of page.Items ?? []) await raise(values.table, String(pk));
    cards += page.Items?.length ?? 0;
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  console.log(`Raised the run of ${cards} cards by ${STEP}.`);
}

async function raise(table: string, cardId: string): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: table,
      Key: { ...jobKey(cardId) },
      UpdateExpression: 'ADD #run :step',
      ConditionExpression: 'attribute_exists(#run)',
      ExpressionAttributeNames: { '#run': 'run' },
      ExpressionAttributeValues: { ':step': STEP },
    }),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  console.error(
    'Check that --table is the restored table, and that your AWS credentials and region are its own.',
  );
  process.exitCode = 1;
});
