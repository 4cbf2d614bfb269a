/** The part of many cards that lists by age go by: enough to be walked over, and cheap to store. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Column } from '../../../shared/columns.ts';
import { documentClient } from '../../../shared/store/client.ts';
import { cardItems } from '../../support/seed.ts';
import type { World } from '../../support/world.ts';

/** DynamoDB writes at most this many items in one batch. */
const BATCH = 25;

/** Stores CARD, and CARD alone, of `count` cards. */
export async function seedContents(world: World, column: Column, count: number): Promise<void> {
  const client = documentClient(world.table.clientOptions);
  for (let at = 0; at < count; at += BATCH) {
    world.clock.advance(1);
    const requests = Array.from({ length: Math.min(BATCH, count - at) }, () => {
      const [, Item] = cardItems(world, column);
      return { PutRequest: { Item } };
    });
    await client.send(new BatchWriteCommand({ RequestItems: { [world.table.tableName]: requests } }));
  }
}
