import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/bundling.ts';
import { authenticate } from '../../shared/auth/authenticate.ts';
import { Cache } from '../../shared/cache.ts';
import { createWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const TOKEN_LINE = /^lb_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,128}\n$/;

/** Runs the command as a deployer would, with credentials and an endpoint from the environment. */
async function createAdminToken({ table }: World, ...args: string[]): Promise<string> {
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  const command = join(PROJECT_ROOT, 'infra', 'create-admin-token.ts');
  return (await run(process.execPath, [command, ...args], { env })).stdout;
}

describe('create-admin-token', async () => {
  const world = await createWorld();
  const { tableName, client } = world.table;

  test('prints a token, alone, that the engine takes for an admin of every board', async () => {
    const printed = await createAdminToken(world, '--table', tableName, '--name', 'ops');
    const tokens = new Cache<never>(0, () => world.clock.now());
    const caller = await authenticate(world.main, tokens, `Bearer ${printed.trim()}`, () => undefined);

    expect(printed).toMatch(TOKEN_LINE);
    expect(caller).toMatchObject({ tokenName: 'ops', scopes: ['admin'], boardId: null, agent: null });
  });

  test('leaves no secret in the table', async () => {
    const printed = await createAdminToken(world, '--table', tableName);
    const secret = printed.trim().split('_').slice(2).join('_');
    const { Items } = await client.send(new ScanCommand({ TableName: tableName }));

    expect(Items?.length).toBeGreaterThan(0);
    expect(JSON.stringify(Items)).not.toContain(secret);
  });

  test('says what to check when there is no such table', async () => {
    await expect(createAdminToken(world, '--table', 'no-such-table')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/ResourceNotFoundException[^]*output TableName/),
    });
  });

  test('says how it is called when the table is left out', async () => {
    await expect(createAdminToken(world)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--table is missing'),
    });
  });
});
