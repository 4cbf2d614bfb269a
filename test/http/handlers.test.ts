import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../functions/engine.ts';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { installAdminToken } from '../../local/install-admin-token.ts';
import { setEnvironment } from '../../local/environment.ts';
import { newLeaseKey } from '../../local/lease-key.ts';
import { startSecretsEndpoint } from '../../local/secrets-endpoint.ts';
import type { LocalServer } from '../../local/http-server.ts';
import { createTestTable } from '../support/dynamodb.ts';
import { gatewayEvent, type TestRequest } from './support/gateway-event.ts';

const TOKEN = `lb_admin_${'t'.repeat(40)}`;

type Handler = (event: unknown) => Promise<unknown>;

let secrets: LocalServer;
let handlers: Record<'claim' | 'lease' | 'api' | 'reaper', Handler>;

beforeAll(async () => {
  const { tableName, endpoint } = await createTestTable();
  secrets = await startSecretsEndpoint('lease-key', newLeaseKey(), (_, error) => {
    throw error;
  });
  setEnvironment({
    tableName,
    leaseKeySecretId: 'lease-key',
    dynamodbUrl: endpoint,
    secretsUrl: secrets.url,
    eventBridgeUrl: 'http://127.0.0.1:9',
    sqsUrl: 'http://127.0.0.1:9',
    schedulerUrl: 'http://127.0.0.1:9',
    attachmentsUrl: 'http://127.0.0.1:9/attachments',
    deliveryQueue: { url: 'http://127.0.0.1:9/queue', arn: 'arn:aws:sqs:us-east-1:000000000000:queue' },
  });
  await installAdminToken(TOKEN);
  handlers = {
    claim: await load('claim'),
    lease: await load('lease'),
    api: await load('api'),
    reaper: await load('reaper'),
  };
});

afterAll(async () => secrets.close());

async function load(name: keyof typeof FUNCTIONS): Promise<Handler> {
  const { handler } = (await import(`../../${FUNCTIONS[name].entry}`)) as { handler: Handler };
  return handler;
}

async function call(name: 'claim' | 'lease' | 'api', request: TestRequest) {
  const headers = { authorization: `Bearer ${TOKEN}`, ...request.headers };
  const { statusCode, body } = (await handlers[name](gatewayEvent({ ...request, headers }))) as {
    statusCode: number;
    body: string;
  };
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> };
}

describe('the functions as they are deployed', () => {
  test('take a card from its creation to its completion, each by itself', async () => {
    const board = await call('api', { method: 'POST', path: '/v1/boards', body: { name: 'Deployed' } });
    expect(board.status).toBe(201);
    const columns = board.body['columns'] as { id: string; name: string }[];
    const ready = columns.find(({ name }) => name === 'Ready')?.id;
    const path = `/v1/boards/${String(board.body['id'])}`;
    await call('api', { method: 'POST', path: `${path}/cards`, body: { title: 'One', column_id: ready } });

    const claimed = await call('claim', { method: 'POST', path: `${path}/columns/${ready}:claim-next` });
    const completed = await call('lease', {
      method: 'POST',
      path: `/v1/leases/${String(claimed.body['lease_id'])}:complete`,
      body: { lease_token: claimed.body['lease_token'] },
    });

    expect([claimed.status, completed.status]).toEqual([200, 200]);
    expect(completed.body['run']).toMatchObject({ outcome: 'completed' });
  });

  test('refuse what another function serves, and what none does', async () => {
    const elsewhere = await call('claim', { method: 'POST', path: '/v1/boards/b/columns/c/contract' });
    const nowhere = await call('lease', { method: 'POST', path: '/v1/leases/l:wish' });
    expect([elsewhere.status, nowhere.status]).toEqual([405, 404]);
  });

  test.each([
    ['TABLE_NAME', ''],
    ['MAX_WAIT_SECONDS', 'long'],
  ])('do not start with %s set to "%s", and name it', (name, value) => {
    const before = process.env[name];
    process.env[name] = value;
    try {
      expect(() => createInstance()).toThrow(name);
    } finally {
      process.env[name] = before;
    }
  });

  test('sweep on their schedule, without the keys of leases', async () => {
    expect(await handlers.reaper({})).toMatchObject({ finished: true, columns: 2 });
  });
});
