/**
 * `npm run bench [-- GROUP ...]`: measures the engine on a DynamoDB Local of its own and prints every figure beside
 * its budget. Ends non-zero when a budget in bold is missed.
 */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { tableDefinition } from '../../shared/store/table.ts';
import { testClientOptions } from '../support/client-options.ts';
import { GROUPS, LATER } from './groups.ts';
import type { Bench, Figure, Group } from './support/figure.ts';
import { showProgress } from './support/progress.ts';
import { isFatal, tableText } from './support/table.ts';

const EXIT = { ok: 0, missed: 1, usage: 2 } as const;

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !GROUPS.some((group) => group.name === name));
  if (unknown.length > 0) {
    console.error(
      `No such group: ${unknown.join(', ')}. There are ${GROUPS.map(({ name }) => name).join(', ')}.`,
    );
    return EXIT.usage;
  }
  const chosen = names.length === 0 ? GROUPS : GROUPS.filter(({ name }) => names.includes(name));
  const figures = await measure(chosen);
  const missed = figures.filter(isFatal);
  console.log(`\n${tableText(figures)}\n`);
  if (names.length === 0) console.log(`Not measured here yet: ${LATER.join('; ')}.\n`);
  for (const { what } of missed) console.log(`Missed: ${what}`);
  console.log(`${figures.length} figures, ${missed.length} budgets in bold missed.`);
  return missed.length === 0 ? EXIT.ok : EXIT.missed;
}

async function measure(groups: readonly Group[]): Promise<Figure[]> {
  const database = await startDynamoDbLocal(null);
  const progress = showProgress(groups);
  try {
    const bench = benchOn(database.endpoint);
    const figures: Figure[] = [];
    for (const group of groups) {
      progress.begins(group);
      figures.push(...(await group.run(bench)));
    }
    return figures;
  } finally {
    progress.stop();
    await database.stop();
  }
}

function benchOn(endpoint: string): Bench {
  const clientOptions = testClientOptions(endpoint);
  const client = new DynamoDBClient(clientOptions);
  return {
    newTable: async () => {
      const tableName = `bench-${randomUUID()}`;
      // Without its stream, which nothing here reads: each record of it slows the emulator's next write.
      const { StreamSpecification: _stream, ...table } = tableDefinition(tableName);
      await client.send(new CreateTableCommand(table));
      return { tableName, endpoint, clientOptions, client };
    },
  };
}

process.exitCode = await main(process.argv.slice(2));
