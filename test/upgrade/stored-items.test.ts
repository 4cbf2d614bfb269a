/**
 * Data that an earlier version has stored: each file of fixtures is a table as one layout left it, item by item. They
 * are never changed. A new layout adds a file, and has to read all those before it.
 */
import { readFileSync } from 'node:fs';
import { PutItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { listRuns } from '../../shared/verbs/list-runs.ts';
import { listTokens } from '../../shared/verbs/list-tokens.ts';
import { listWebhooks } from '../../shared/verbs/list-webhooks.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { createWorld, type World } from '../support/world.ts';

/** When the table was stored, with the ids and the one living lease that were in it. */
const STORED = {
  at: 1_793_491_200_000,
  board: 'brd_01M6A6FT00QQPPBXHXEZ0R06AA',
  ready: 'col_01M6A6FT00SY5SPNTXRKWD2F4P',
  done: 'crd_01M6A6FT005QCAPM8CW0T0WPXH',
  failed: 'crd_01M6A6FT00AGZTWT3PYSDKTWX4',
  held: 'crd_01M6A6FT00KQJZVCJXGMCW2QNY',
  waiting: 'crd_01M6A6FT00VKPFETAV4W8M7M8A',
  child: 'crd_01M6A6FT003A5BR5NV6WYY0K9H',
  lease: 'lse_01M6A6FT00KQJZVCJXGMCW2QNY_1',
  /** Signed with the key of the test worlds. */
  lease_token:
    'lt1_WyJrMSIsIjAxTTZBNkZUMDBRUVBQQlhIWEVaMFIwNkFBIiwiMDFNNkE2RlQwMFNZNVNQTlRYUktXRDJGNFAiLCIwMU02QTZGVDAwS1FKWlZDSlhHTUNXMlFOWSIsMSwibEFNVjZNa01xeGcxIiwxMjAwMDAsMTc5MzQ5MTIwMDAwMCwwLCIyIzBWWmZ1SWRNWHgiXQ_FdHLFSVE4LUtRwaP608T8TemUTmVKKaGX2S4B1at6Zc',
};

let world: World;

beforeAll(async () => {
  world = await createWorld({ startAt: STORED.at });
  const lines = readFileSync(new URL('fixtures/layout-1.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) {
    const Item = JSON.parse(line) as Record<string, AttributeValue>;
    await world.table.client.send(new PutItemCommand({ TableName: world.table.tableName, Item }));
  }
});

describe('a table of layout 1', () => {
  test('is read as it was: boards, cards in every state, runs, tokens and webhooks', async () => {
    const { main, admin } = world;
    const card = async (id: string) => getCard(main, admin, { card: id });

    expect(await getBoard(main, admin, { board: 'stored' })).toMatchObject({
      id: STORED.board,
      name: 'Stored',
    });
    expect(await card(STORED.done)).toMatchObject({
      state: 'done',
      properties: { n: 1e200 },
      output: { ok: true },
      summary: 'well',
    });
    expect((await card(STORED.done)).body).toHaveLength(3_000);
    expect(await card(STORED.failed)).toMatchObject({ state: 'waiting', waiting_on: 'backoff', attempt: 1 });
    expect(await card(STORED.held)).toMatchObject({ state: 'leased', lease: { agent: 'ada' } });
    expect(await card(STORED.child)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
    const runs = await listRuns(main, admin, { card: STORED.failed, limit: 10 });
    expect(runs.items).toMatchObject([{ outcome: 'failed', number: 1 }]);
    const tokens = (await listTokens(main, admin, { limit: 10 })).items;
    expect(tokens.map(({ name }) => name).toSorted()).toEqual(['Stored', 'worker']);
    expect((await listWebhooks(main, admin, { board: STORED.board, limit: 10 })).items).toHaveLength(1);
  });

  test('goes on being worked: the lease that was out is good, and what it blocked becomes ready', async () => {
    const { main } = world;
    const ada = world.agent('ada');
    const place = { board: STORED.board, column: STORED.ready };
    const { lease, lease_token } = STORED;

    await renewLease(main, ada, { lease, lease_token });
    expect((await completeLease(main, ada, { lease, lease_token })).card.state).toBe('done');
    const claimed = (await claimNext(main, ada, place, null)).value;
    if (claimed.card === null) throw new Error(`nothing to claim: ${claimed.reason}`);
    expect(claimed.card.id).toBe(STORED.waiting);
    await completeLease(main, ada, { lease: claimed.lease_id, lease_token: claimed.lease_token });
    const child = (await claimNext(main, ada, place, null)).value;
    expect(child.card?.id).toBe(STORED.child);
  });
});
