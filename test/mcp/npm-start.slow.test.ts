/** The function as `npm start` serves it, with its own code loaded as a deployment loads it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOwnStack, type OwnStack } from '../../demo/fleet/own-stack.ts';
import { callWith, connected, ERAS, type Era } from './support/mcp-world.ts';

let stack: OwnStack;

beforeAll(async () => {
  stack = await startOwnStack();
}, 120_000);

afterAll(async () => stack.stop());

test.each(Object.keys(ERAS) as Era[])(
  'a host takes a card from its creation to its completion (%s)',
  async (era) => {
    const client = await connected(`${stack.url}/mcp`, stack.token, {
      era,
      headers: { 'x-agent': 'drafter-1' },
    });
    const board = await callWith(client, 'create_board', { name: `Started ${era}` });
    const columns = board.value['columns'] as { id: string; name: string }[];
    const place = {
      board_id: board.value['id'],
      column_id: columns.find(({ name }) => name === 'Ready')?.id,
    };
    await callWith(client, 'create_card', { ...place, title: 'One' });
    const { value: claim } = await callWith(client, 'claim_next_card', { ...place, claim_key: 'k' });
    const lease = { lease_id: claim['lease_id'], lease_token: claim['lease_token'] };
    const completed = await callWith(client, 'complete_lease', { ...lease, summary: 'Done.' });
    expect(completed.value).toMatchObject({ run: { outcome: 'completed', agent: 'drafter-1' } });
    await client.close();
  },
);

test('a client that looks for an OAuth server gets a true 404', async () => {
  const response = await fetch(`${stack.url}/.well-known/oauth-protected-resource/mcp`);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});
