import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { RoutedFunction } from '../../local/gateway.ts';
import type { Handler } from '../../local/lambda.ts';
import type { StartOptions } from '../../local/options.ts';
import { startStack, type Stack } from '../../local/stack.ts';

/** Each test starts databases, 1.5 s each on an idle machine. */
vi.setConfig({ testTimeout: 120_000 });

let directory: string;
let installed: string[];
let logged: unknown[];

beforeEach(async () => {
  installed = [];
  logged = [];
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-stack-'));
  onTestFinished(async () => rm(directory, { recursive: true }));
});

const KEY = { pk: { S: 'a' }, sk: { S: 'b' } };

/** Its clients are told nothing of where: as in the functions, that is the environment's business. */
async function tableHandler(): Promise<unknown> {
  const table = new DynamoDBClient();
  const secrets = new SecretsManagerClient();
  const TableName = process.env['TABLE_NAME'];
  const { Item } = await table.send(new GetItemCommand({ TableName, Key: KEY }));
  await table.send(new PutItemCommand({ TableName, Item: KEY }));
  const SecretId = process.env['LEASE_KEY_SECRET_ID'];
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return { wasThere: Item !== undefined, key: SecretString };
}

async function healthHandler(): Promise<unknown> {
  return { statusCode: 200, body: '{}' };
}

function routed(name: string, handler: Handler, ...routes: string[]): RoutedFunction {
  return { name, handler, routes, timeoutSeconds: 10, memoryMb: 512 };
}

async function start(
  change: Partial<StartOptions> = {},
  reaper: Handler = healthHandler,
  fanout: Handler = healthHandler,
): Promise<Stack> {
  const options: StartOptions = {
    port: 0,
    directory,
    adminToken: null,
    reaperSeconds: null,
    dynamodbUrl: null,
    oidcFile: null,
    demo: false,
    ...change,
  };
  const stack = await startStack(options, (_what, error) => logged.push(error), {
    loadFunctions: async () => ({
      api: routed('api', healthHandler, '$default'),
      claim: routed('claim', tableHandler, 'POST /v1/table'),
      lease: routed('lease', healthHandler),
      mcp: routed('mcp', healthHandler),
      reaper: routed('reaper', reaper),
      fanout: routed('fanout', fanout),
      sender: routed('sender', healthHandler),
      setup: routed('setup', healthHandler),
    }),
    installAdminToken: async (token) => void installed.push(token),
  });
  onTestFinished(stack.stop);
  return stack;
}

async function touchTable(stack: Stack): Promise<{ wasThere: boolean; key: string }> {
  const response = await fetch(`${stack.url}/v1/table`, { method: 'POST' });
  return (await response.json()) as { wasThere: boolean; key: string };
}

test('a second start finds the table, the lease key and the admin token of the first', async () => {
  const first = await start();
  expect(first.firstStart).toBe(true);
  const before = await touchTable(first);
  expect(before.wasThere).toBe(false);
  await first.stop();

  const second = await start();
  expect(second.firstStart).toBe(false);
  expect(await touchTable(second)).toEqual({ wasThere: true, key: before.key });
  expect(second.adminToken).toBe(first.adminToken);
  expect(installed).toEqual([first.adminToken, first.adminToken]);
  expect(logged).toEqual([]);
});

test('in memory nothing is kept', async () => {
  const first = await start({ directory: null });
  await touchTable(first);
  await first.stop();
  const second = await start({ directory: null });
  expect(second.firstStart).toBe(true);
  expect((await touchTable(second)).wasThere).toBe(false);
  expect(second.adminToken).not.toBe(first.adminToken);
});

test('a given DynamoDB is used, and outlives the stack', async () => {
  const owner = await start({ directory: null });
  const dynamodbUrl = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const token = `lb_ci_${'s'.repeat(32)}`;
  const guest = await start({ directory: null, dynamodbUrl, adminToken: token });
  expect(guest.firstStart).toBe(false);
  expect(guest.adminToken).toBe(token);
  await touchTable(guest);
  await guest.stop();
  await expect(fetch(guest.url)).rejects.toThrow('fetch failed');
  expect((await fetch(dynamodbUrl)).status).toBe(400);
  await owner.stop();
  await expect(fetch(dynamodbUrl)).rejects.toThrow('fetch failed');
});

test('the reaper runs on its schedule', async () => {
  const twice = Promise.withResolvers<void>();
  let runs = 0;
  await start({ directory: null, dynamodbUrl: inject('dynamodbEndpoint'), reaperSeconds: 0.05 }, () => {
    runs += 1;
    if (runs === 2) twice.resolve();
  });
  await twice.promise;
  expect(runs).toBeGreaterThanOrEqual(2);
});

test('a transition starts the fan-out, and what the stack has handled does not come again', async () => {
  const batches: unknown[] = [];
  const seen = Promise.withResolvers<void>();
  const fanout: Handler = (event) => {
    batches.push(event);
    seen.resolve();
    return { batchItemFailures: [] };
  };
  const first = await start({}, healthHandler, fanout);
  const table = new DynamoDBClient();
  const TableName = process.env['TABLE_NAME'];
  for (const op of ['renew', 'create']) {
    const Item = { pk: { S: op }, sk: { S: 'JOB' }, op: { S: op } };
    await table.send(new PutItemCommand({ TableName, Item }));
  }
  await seen.promise;
  await first.stop();
  expect(batches).toMatchObject([
    { Records: [{ eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'create' } } } }] },
  ]);

  const again = Promise.withResolvers<unknown>();
  const second = await start({}, healthHandler, (event) => again.resolve(event));
  const Item = { pk: { S: 'after' }, sk: { S: 'BOARD' }, op: { S: 'create' } };
  await new DynamoDBClient().send(new PutItemCommand({ TableName, Item }));
  expect(await again.promise).toMatchObject({ Records: [{ dynamodb: { Keys: { pk: { S: 'after' } } } }] });
  expect(await again.promise).toHaveProperty('Records.length', 1);
  await second.stop();
  expect(logged).toEqual([]);
});
