/** One address, both eras of the protocol: the official client in each of its ways. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpWorld, ERAS, type Era, type McpWorld } from './support/mcp-world.ts';

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

describe.each(Object.keys(ERAS) as Era[])('a client that speaks %s', (era) => {
  test('connects, and is taught the loop in ten lines', async () => {
    const { client } = await mcp.connect(mcp.admin, { era });
    expect(client.getServerVersion()).toMatchObject({ name: 'leaseboard' });
    expect(client.getInstructions()?.split('\n')).toHaveLength(10);
  });

  test('lists the tools and calls one', async () => {
    const { client, call } = await mcp.connect(mcp.admin, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('claim_next_card');
    const { isError, value, texts } = await call('get_me');
    expect(isError).toBe(false);
    expect(value).toMatchObject({ name: 'root', scopes: ['admin'] });
    expect(texts).toEqual([JSON.stringify(value)]);
  });

  test('is refused without a token that is known', async () => {
    const stranger = mcp.connect(`lb_nobody_${'x'.repeat(40)}`, { era });
    await expect(stranger).rejects.toThrow(/401|unauthor/i);
  });
});
