/** What a deployment sets up, through the real handler: CloudFormation's requests in, its answers at its address. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { setEnvironment } from '../../local/environment.ts';
import { newLeaseKey } from '../../local/lease-key.ts';
import { startSecretsEndpoint } from '../../local/secrets-endpoint.ts';
import type { LocalServer } from '../../local/http-server.ts';
import { authenticate } from '../../shared/auth/authenticate.ts';
import { authenticateRole } from '../../shared/auth/role.ts';
import { Cache } from '../../shared/cache.ts';
import { openSecret, shownSecret } from '../../shared/webhooks/secret.ts';
import { webhooksOf } from '../../shared/webhooks/webhook-rows.ts';
import { parseLeaseKeys } from '../../shared/lease-keys.ts';
import { applyAdminToken, revokeApplied } from '../../shared/setup/apply-access.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { getContract } from '../../shared/verbs/get-contract.ts';
import { updateColumn } from '../../shared/verbs/update-column.ts';
import { createWorld, type World } from '../support/world.ts';

interface Outcome {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly PhysicalResourceId: string;
  readonly NoEcho?: boolean;
  readonly Reason?: string;
  readonly Data?: Readonly<Record<string, string>>;
}

let world: World;
let secrets: LocalServer;
let cloudFormation: { server: Server; url: string; outcomes: Outcome[] };
let handler: (event: unknown) => Promise<void>;
const leaseKey = newLeaseKey();

beforeAll(async () => {
  world = await createWorld();
  secrets = await startSecretsEndpoint('lease-key', leaseKey, (_, error) => {
    throw error;
  });
  cloudFormation = await startCloudFormation();
  setEnvironment({
    tableName: world.table.tableName,
    leaseKeySecretId: 'lease-key',
    dynamodbUrl: world.table.endpoint,
    secretsUrl: secrets.url,
    eventBridgeUrl: 'http://127.0.0.1:9',
    sqsUrl: 'http://127.0.0.1:9',
    schedulerUrl: 'http://127.0.0.1:9',
    attachmentsUrl: 'http://127.0.0.1:9/attachments',
    deliveryQueue: { url: 'http://127.0.0.1:9/queue', arn: 'arn:aws:sqs:us-east-1:000000000000:queue' },
  });
  ({ handler } = await import('../../functions/setup/handler.ts'));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

afterAll(async () => {
  vi.restoreAllMocks();
  cloudFormation.server.close();
  await secrets.close();
});

async function startCloudFormation() {
  const outcomes: Outcome[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      outcomes.push(JSON.parse(Buffer.concat(chunks).toString()) as Outcome);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, outcomes };
}

/** One request of CloudFormation's, and what it is told. */
async function request(
  type: 'Create' | 'Update' | 'Delete',
  kind: string,
  code: object,
  id?: string,
): Promise<Outcome> {
  await handler({
    RequestType: type,
    ResponseURL: cloudFormation.url,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Resource',
    ...(id === undefined ? {} : { PhysicalResourceId: id }),
    ResourceProperties: { ServiceToken: 'arn', Kind: kind, Code: JSON.stringify(code) },
  });
  const outcome = cloudFormation.outcomes.at(-1);
  if (outcome === undefined) throw new Error('CloudFormation was told nothing');
  return outcome;
}

describe('a board as code', () => {
  const columns = [
    { name: 'Drafts', role: 'work', contract: { enabled: true, lease_ttl_seconds: 300, on_success: 'Done' } },
    { name: 'Done', role: 'done' },
  ];

  test('is made with its columns and contracts, and deployed again as it is', async () => {
    const code = { slug: 'coded', name: 'Coded', columns };
    const made = await request('Create', 'board', code);
    const again = await request('Update', 'board', code, made.PhysicalResourceId);

    expect(made).toMatchObject({ Status: 'SUCCESS', NoEcho: true });
    expect(again).toEqual(made);
    const board = await getBoard(world.main, world.admin, { board: 'coded' });
    expect(board.id).toBe(made.PhysicalResourceId);
    expect(board.columns.map(({ name, id }) => [name, id])).toEqual([
      ['Drafts', made.Data?.['Column0']],
      ['Done', made.Data?.['Column1']],
    ]);
    const place = { board: 'coded', column: made.Data?.['Column0'] ?? '' };
    expect(await getContract(world.main, world.admin, place)).toMatchObject({
      lease_ttl_seconds: 300,
      on_success_column_id: made.Data?.['Column1'],
    });
  });

  test('changes what the code says, and leaves the columns and cards of people alone', async () => {
    const code = { slug: 'shared', name: 'Shared', columns };
    const { PhysicalResourceId: id, Data } = await request('Create', 'board', code);
    const column_id = Data?.['Column0'] ?? '';
    const card = await createCard(world.main, world.admin, { board: id, title: 'Kept', column_id }, null);
    await updateColumn(world.engine(), world.admin, {
      board: id,
      column: Data?.['Column1'] ?? '',
      name: 'Published',
    });

    await request('Update', 'board', { ...code, columns: [{ name: 'Ideas' }] }, id);
    await request('Delete', 'board', code, id);

    const board = await getBoard(world.engine(), world.admin, { board: id });
    expect(board.columns.map(({ name }) => name)).toEqual(['Drafts', 'Published', 'Ideas']);
    expect(await getCard(world.main, world.admin, { card: card.value.id })).toMatchObject({ title: 'Kept' });
  });

  test('is renamed by the code', async () => {
    const code = { slug: 'named', name: 'Before', columns: [] };
    const { PhysicalResourceId: id } = await request('Create', 'board', code);

    expect((await request('Update', 'board', { ...code, name: 'After' }, id)).PhysicalResourceId).toBe(id);
    expect(await getBoard(world.engine(), world.admin, { board: id })).toMatchObject({ name: 'After' });
  });

  test('that cannot be is refused with the reason, where the deployer reads it', async () => {
    const wrong = {
      slug: 'wrong',
      name: 'Wrong',
      columns: [{ name: 'Q', contract: { enabled: true, on_success: 'No' } }],
    };
    const { Status, Reason } = await request('Create', 'board', wrong);

    expect(Status).toBe('FAILED');
    expect(Reason).toContain("no column 'No'");
  });
});

test('a webhook as code is made once, changed in place, handed its secret again, and removed', async () => {
  const { PhysicalResourceId: board } = await request('Create', 'board', {
    slug: 'told',
    name: 'Told',
    columns: [],
  });
  const code = { board, url: 'http://127.0.0.1:9009/a', types: ['card.created'], description: 'As code: x' };
  const made = await request('Create', 'webhook', code);
  expect(made.Reason).toBeUndefined();
  const repeated = await request('Create', 'webhook', { ...code, url: 'http://127.0.0.1:9009/b' });

  expect(repeated).toEqual(made);
  const [webhook, ...others] = await webhooksOf(world.main.store, board);
  expect(others).toEqual([]);
  expect(webhook?.url).toBe('http://127.0.0.1:9009/b');
  const secret = openSecret(parseLeaseKeys(leaseKey), webhook?.webhook_id ?? '', webhook?.secret ?? '');
  expect(made.Data).toEqual({ Secret: shownSecret(secret) });

  await request('Delete', 'webhook', code, made.PhysicalResourceId);
  expect((await request('Delete', 'webhook', code, made.PhysicalResourceId)).Status).toBe('SUCCESS');
  expect(await webhooksOf(world.main.store, board)).toEqual([]);
});

test('a role as code may call until it is taken out of the code', async () => {
  const who = async () =>
    authenticateRole(
      world.main,
      new Cache(0, world.clock.now),
      'arn:aws:sts::111122223333:assumed-role/Coded/s',
      () => undefined,
    );
  const code = { role_arn: 'arn:aws:iam::111122223333:role/Coded', scopes: ['worker'], agent: 'coded' };
  const { PhysicalResourceId: id } = await request('Create', 'role', code);
  expect(await who()).toMatchObject({ agent: 'coded', scopes: ['worker'] });

  // A grant that is renamed: the new resource is made before the old one goes.
  const renamed = await request('Create', 'role', code);
  await request('Delete', 'role', code, id);
  expect(await who()).toMatchObject({ agent: 'coded' });

  await request('Delete', 'role', code, renamed.PhysicalResourceId);
  await expect(who()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('the first admin token stays revoked, however often it is set up again, and comes back with a new secret only', async () => {
  const [secret, another] = ['s'.repeat(43), 't'.repeat(43)];
  const opens = async (text: string) => {
    const token = `Bearer lb_first_${text}`;
    return authenticate(world.main, new Cache(0, world.clock.now), token, () => undefined).then(
      () => true,
      () => false,
    );
  };
  const id = await applyAdminToken(world.main, secret);
  await applyAdminToken(world.main, secret);
  expect(await opens(secret)).toBe(true);

  await revokeApplied(world.main, id);
  await applyAdminToken(world.main, secret);
  expect(await opens(secret)).toBe(false);

  await applyAdminToken(world.main, another);
  expect([await opens(secret), await opens(another)]).toEqual([false, true]);
});

test('a reason of any length and script is told in an answer that CloudFormation takes', async () => {
  const endless = { slug: 'endless', name: '\u0000☃'.repeat(5_000), columns: [] };
  const { Status, Reason } = await request('Create', 'board', { ...endless, ['\u0000☃'.repeat(2_000)]: 1 });

  expect(Status).toBe('FAILED');
  expect(Buffer.byteLength(JSON.stringify(Reason))).toBeLessThan(3_100);
});

test('what was never made is deleted without a word, and an unknown kind is refused', async () => {
  const refused = await request('Create', 'moon', {});
  expect(refused.Status).toBe('FAILED');
  expect((await request('Delete', 'board', {}, refused.PhysicalResourceId)).Status).toBe('SUCCESS');
});
