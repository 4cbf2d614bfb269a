/** What `leaseboard mcp config` prints is taken by the official client as its host would take it, and works. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callWith } from '../mcp/support/mcp-world.ts';
import { createCliWorld, type CliWorld } from './support/cli-world.ts';

let world: CliWorld;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => world.close());

interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How each host reads its file: variables of the environment are put in by the host. */
const HOSTS: Readonly<Record<string, (text: string, token: string) => Server>> = {
  claude: (text, token) => serverOf(text.replaceAll('${LEASEBOARD_TOKEN}', token)),
  cursor: (text, token) => serverOf(text.replaceAll('${env:LEASEBOARD_TOKEN}', token)),
  codex: (text, token) => {
    expect(text).toMatch(/^\[mcp_servers\.leaseboard\]\n/);
    const value = (key: string): string => String(new RegExp(`^${key} = "(.*)"$`, 'm').exec(text)?.[1]);
    expect(value('bearer_token_env_var')).toBe('LEASEBOARD_TOKEN');
    const [, agent = ''] = /^http_headers = \{ "X-Agent" = "(.*)" \}$/m.exec(text) ?? [];
    return { url: value('url'), headers: { Authorization: `Bearer ${token}`, 'X-Agent': agent } };
  },
};

function serverOf(text: string): Server {
  return (JSON.parse(text) as { mcpServers: { leaseboard: Server } }).mcpServers.leaseboard;
}

describe('the snippet for', () => {
  test.each(Object.keys(HOSTS))('%s is an object where JSON is asked for', async (host) => {
    const snippet = await world.json(`mcp config --client ${host} --agent drafter-1`);
    expect(JSON.stringify(snippet)).toContain(`"url":"${world.mcp.origin}/mcp"`);
    expect(JSON.stringify(snippet)).toContain('drafter-1');
  });

  test.each(Object.keys(HOSTS))('%s takes an agent through the whole loop', async (host) => {
    const slug = `mcp-${host}`;
    await world.json(`board create --name Host --slug ${slug}`);
    const card = await world.json(`card create --board ${slug} --column Ready --title One`);
    const token = await world.mcp.token(host, { scopes: ['worker'] });
    const { code, out } = await world.cli(`mcp config --client ${host} --agent drafter-1`);
    expect([code, out.includes(world.mcp.admin)]).toEqual([0, false]);

    const { url, headers } = HOSTS[host]?.(out.trim(), token) ?? expect.fail('No such host');
    const client = new Client({ name: host, version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const place = { board_id: slug, column_id: String(card['column_id']) };
    const { value: claim } = await callWith(client, 'claim_next_card', { ...place, claim_key: 'k-1' });
    const lease = { lease_id: claim['lease_id'], lease_token: claim['lease_token'] };
    await callWith(client, 'renew_lease', { ...lease, progress: 50 });
    const { value } = await callWith(client, 'complete_lease', { ...lease, summary: 'Done.' });
    expect(value).toMatchObject({ run: { outcome: 'completed', agent: 'drafter-1' } });
    const { value: empty } = await callWith(client, 'claim_next_card', { ...place, claim_key: 'k-2' });
    expect(empty).toMatchObject({ card: null });
    await client.close();
  });
});
