import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/bundling.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { createQueue } from '../support/queue.ts';
import { createWorld, type World } from '../support/world.ts';

const run = promisify(execFile);

async function raiseRuns({ table }: World, ...args: string[]): Promise<string> {
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  const command = join(PROJECT_ROOT, 'infra', 'raise-runs.ts');
  return (await run(process.execPath, [command, ...args], { env })).stdout;
}

describe('the restore drill', async () => {
  const world = await createWorld();
  const { main, clock } = world;
  const worker = world.agent('ada');

  test('ends the leases of before, and gives every later one a fence above all that there were', async () => {
    const { board, column } = await createQueue(world);
    const place = { board, column: column.column_id };
    for (const title of ['Held', 'Waiting']) {
      await createCard(main, world.admin, { board, title, column_id: column.column_id }, null);
    }
    const before = (await claimNext(main, worker, place, null)).value;
    if (before.card === null) throw new Error('nothing to claim');

    expect(await raiseRuns(world, '--table', world.table.tableName)).toContain('2 cards');

    const held = { lease: before.lease_id, lease_token: before.lease_token };
    await expect(renewLease(main, worker, held)).rejects.toMatchObject({ code: 'lease_lost' });
    clock.advance(120_000);
    for (let card = 0; card < 2; card += 1) {
      const claimed = (await claimNext(world.engine(), worker, place, null)).value;
      if (claimed.card === null) throw new Error('nothing to claim');
      expect(claimed.fence).toBeGreaterThan(1_000_000);
      const done = { lease: claimed.lease_id, lease_token: claimed.lease_token };
      expect((await completeLease(main, worker, done)).card.state).toBe('done');
    }
  });

  test('says how it is called when the table is left out', async () => {
    await expect(raiseRuns(world)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--table is missing'),
    });
  });
});
