/** Many cards at once, stored as create leaves them, for tests and benches that measure what comes after. */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../../shared/ids.ts';
import { settle } from '../../shared/model/settle.ts';
import { bottomRank } from '../../shared/rank.ts';
import type { Column } from '../../shared/columns.ts';
import { LAYOUT_VERSION, toJsonText, type Job } from '../../shared/store/items.ts';
import { bodyKey, cardKey, createdKey, jobKey } from '../../shared/store/keys.ts';
import { documentClient } from '../../shared/store/client.ts';
import type { World } from './world.ts';

/** DynamoDB writes at most this many items in one batch. */
const BATCH = 25;
/** Batches under way at once. */
const WIDTH = 8;

/** The reference card of the budgets, or what `job` makes of it. */
export function cardItems(world: World, column: Column, job: Partial<Job> = {}): Record<string, unknown>[] {
  const { deps } = world.main;
  const now = deps.now();
  const id = newId('crd', deps);
  const fresh: Job = {
    ...jobKey(id),
    v: LAYOUT_VERSION,
    board_id: column.board_id,
    column_id: column.column_id,
    state: 'idle',
    priority: 5,
    rank: bottomRank(now, () => deps.random()),
    labels: ['bench', 'reference'],
    run: 0,
    attempt: 0,
    rev: 1,
    sequence: 1,
    op: 'create',
    ev: [{ type: 'card.created', by: { type: 'system', id: 'seed' } }],
    since_at: now,
    updated_at: now,
    ...job,
  };
  const card = {
    ...cardKey(id),
    v: LAYOUT_VERSION,
    board_id: column.board_id,
    board: column.board_id,
    created: createdKey(now),
    key: 'SEED-1',
    title: 'A reference card whose title has some sixty bytes of text..',
    long_body: true,
    properties: toJsonText({ source: 'seed', text: 'x'.repeat(70) }),
    created_by: 'seed',
    created_at: now,
  };
  const body = { ...bodyKey(id), v: LAYOUT_VERSION, board_id: column.board_id, body: 'x'.repeat(4_096) };
  return [settle(fresh, column, now), card, body];
}

/** Stores `count` cards in a column, a millisecond apart, and answers their ids in claim order. */
export async function seedCards(
  world: World,
  column: Column,
  count: number,
  job: (at: number) => Partial<Job> = () => ({}),
): Promise<string[]> {
  const ids: string[] = [];
  const items: Record<string, unknown>[] = [];
  for (let at = 0; at < count; at += 1) {
    world.clock.advance(1);
    const made = cardItems(world, column, job(at));
    ids.push(String(made[0]?.['pk']));
    items.push(...made);
  }
  await storeItems(world, items);
  return ids;
}

/** Puts items as they are, many at once. */
export async function storeItems(world: World, items: readonly Record<string, unknown>[]): Promise<void> {
  const client = documentClient(world.table.clientOptions);
  const batches: Record<string, unknown>[][] = [];
  for (let at = 0; at < items.length; at += BATCH) batches.push(items.slice(at, at + BATCH));
  const lanes = Array.from({ length: WIDTH }, async () => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [world.table.tableName]: requests } }));
    }
  });
  await Promise.all(lanes);
}
