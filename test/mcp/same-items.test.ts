/** The same story through HTTP and through the tools leaves the same items, to the attribute. */
import { ScanCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { httpDoor, toolDoor, type Door } from './support/doors.ts';
import { createMcpWorld, type McpWorld } from './support/mcp-world.ts';

const SEED = 77;
const LIMIT_SETTLES_MS = 10_000;
const BOARD = '/v1/boards/{board_id}';
const COLUMN = `${BOARD}/columns/{column_id}`;
const CARD = '/v1/cards/{card_id}';
const LEASE = '/v1/leases/{lease_id}';

type Item = Record<string, unknown>;
type Columns = { readonly id: string; readonly name: string }[];

/** Drawn from the system's chance in every run: what makes a token hard to guess, and what tells a write from its repeat. */
// An MCP client signs in once more before the story begins: `last_used_at` is an hour's note of that.
const LEFT_OUT = ['nonce', 'op_id', 'last_used_at'];

/** Two whole stories, each on a table of its own: slow on a crowded machine. */
const TIMEOUT_MS = 120_000;

test(
  'the same story leaves the same items, whichever door it came through',
  { timeout: TIMEOUT_MS },
  async () => {
    const [byHttp, byTools] = [await told(httpDoor), await told(toolDoor)];
    expect(byTools.length).toBeGreaterThan(20);
    expect(byTools).toEqual(byHttp);
  },
);

async function told(door: (mcp: McpWorld, token: string, agent?: string) => Promise<Door>): Promise<Item[]> {
  const mcp = await createMcpWorld({ seed: SEED });
  onTestFinished(mcp.close);
  const worker = await mcp.token('worker', { scopes: ['worker'] });
  await story(mcp, await door(mcp, mcp.admin), await door(mcp, worker, 'drafter-1'));
  return items(mcp);
}

async function story(mcp: McpWorld, admin: Door, worker: Door): Promise<void> {
  const tick = () => mcp.world.clock.advance(1_000);
  const { place, done } = await board(admin);
  // A limit that is new lets nobody claim until every instance knows of it.
  mcp.world.clock.advance(LIMIT_SETTLES_MS);
  const card = async (title: string, more: Item = {}) => {
    tick();
    const given = { ...place, title, priority: 7, labels: ['x'], properties: { a: [1, null] }, ...more };
    const step = { tool: 'create_card', method: 'POST', path: `${BOARD}/cards`, given } as const;
    return String((await admin({ ...step, key: { argument: 'idempotency_key', value: title } }))['id']);
  };
  const [first, second, third] = [
    await card('First', { body: 'Text' }),
    await card('Second'),
    await card('Third'),
  ];
  await admin({
    tool: 'link_cards',
    method: 'POST',
    path: `${CARD}/links`,
    given: { card_id: third, parent_id: second },
  });

  const claim = async (value: string) => {
    const key = { argument: 'claim_key', value };
    const given = { ...place, lease_ttl_seconds: 60 };
    const step = {
      tool: 'claim_next_card',
      method: 'POST',
      path: `${COLUMN}:claim-next`,
      given,
      key,
    } as const;
    tick();
    // Under a limit that is new, a first claim may only count who holds what.
    const first = await worker(step);
    const answer = first['card'] === null ? await worker(step) : first;
    return { lease_id: answer['lease_id'], lease_token: answer['lease_token'] };
  };
  const lease = await claim('one');
  expect(await claim('one')).toEqual(lease);
  tick();
  const beat = { ...lease, progress: 40, note: 'on it', checkpoint: 'branch fix/1' };
  await worker({ tool: 'renew_lease', method: 'POST', path: `${LEASE}:renew`, given: beat });
  const words = { card_id: first, body: 'Looks good, @root', lease_token: lease.lease_token };
  await worker({ tool: 'create_comment', method: 'POST', path: `${CARD}/comments`, given: words });
  const patch = { card_id: first, lease_token: lease.lease_token, properties: { b: 'c', a: null } };
  await worker({ tool: 'update_card', method: 'PATCH', path: CARD, given: patch });
  tick();
  const result = { ...lease, output: { pr: 7 }, summary: 'Done.', metadata: { tokens: 12 } };
  await worker({ tool: 'complete_lease', method: 'POST', path: `${LEASE}:complete`, given: result });

  const failing = { ...(await claim('two')), reason: 'no network', retry_after_seconds: 5 };
  await worker({ tool: 'fail_lease', method: 'POST', path: `${LEASE}:fail`, given: failing });
  tick();
  const moved = { card_id: second, column_id: done };
  await admin({ tool: 'move_card', method: 'POST', path: `${CARD}:move`, given: moved });
  const stopped = { ...(await claim('three')), kind: 'needs_input', reason: 'Which one?' };
  await worker({ tool: 'block_lease', method: 'POST', path: `${LEASE}:block`, given: stopped });
  await admin({ tool: 'unblock_card', method: 'POST', path: `${CARD}:unblock`, given: { card_id: third } });
  await admin({ tool: 'archive_card', method: 'POST', path: `${CARD}:archive`, given: { card_id: first } });
  await admin({ tool: 'delete_card', method: 'DELETE', path: CARD, given: { card_id: first } });
}

async function board(admin: Door) {
  const given = { name: 'Story', slug: 'story' };
  const made = await admin({ tool: 'create_board', method: 'POST', path: '/v1/boards', given });
  const columns = made['columns'] as Columns;
  const idOf = (name: string) => columns.find((column) => column.name === name)?.id ?? '';
  const place = { board_id: String(made['id']), column_id: idOf('Ready') };
  const contract = {
    enabled: true,
    max_attempts: 3,
    backoff_seconds: [1],
    concurrency_limit: 2,
    on_success_column_id: idOf('Done'),
  };
  await admin({
    tool: 'set_column_contract',
    method: 'PUT',
    path: `${COLUMN}/contract`,
    given: { ...place, ...contract },
  });
  return { place, done: idOf('Done') };
}

/** Everything in the table, in one order, without what no two runs share. */
async function items(mcp: McpWorld): Promise<Item[]> {
  const { client, tableName } = mcp.world.table;
  const scan = new ScanCommand({ TableName: tableName, ConsistentRead: true });
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(scan);
  const key = ({ pk, sk }: Item) => `${String(pk)} ${String(sk)}`;
  return Items.map((item): Item => {
    const shared = Object.entries(item).filter(([name]) => !LEFT_OUT.includes(name));
    return Object.fromEntries(shared);
  }).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
