/**
 * What the protocol's own tools say of the server: the Inspector of its schemas, in both eras, and the part of the
 * conformance suite that a server is most easily wrong about. `npm run conformance` runs the whole suite.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TOOLS } from '../../functions/mcp/tools.ts';
import { BASELINE, conformanceCommand } from './support/conformance-command.ts';
import { inspect } from './support/inspector-command.ts';
import { createMcpWorld, type McpWorld } from './support/mcp-world.ts';
import { startTokenProxy } from './support/token-proxy.ts';

/** Each starts a process of its own, slow on a crowded machine. */
const TIMEOUT_MS = 120_000;
/** How the Inspector ends when a tool has answered with an error. */
const TOOL_ERROR = 5;

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

describe.each(['legacy', 'modern'])('the Inspector (%s)', (era) => {
  test('finds no tool whose schemas would not travel', { timeout: TIMEOUT_MS }, async () => {
    const args = ['--method', 'tools/list', '--strict', '--format', 'json', '--protocol-era', era];
    const { code, stdout, stderr } = await inspect(mcp.url, mcp.admin, args);
    expect([code, stderr]).toEqual([0, '']);
    for (const { name } of TOOLS) expect(stdout).toContain(`"${name}"`);
  });

  test('calls a tool, and tells a refusal by how it ends', { timeout: TIMEOUT_MS }, async () => {
    const call = async (tool: string, given: object) => {
      const which = ['--method', 'tools/call', '--tool-name', tool, '--protocol-era', era];
      return inspect(mcp.url, mcp.admin, [
        ...which,
        '--tool-args-json',
        JSON.stringify(given),
        '--format',
        'json',
      ]);
    };
    const [fine, refused] = [await call('get_me', {}), await call('get_board', { board_id: 'nowhere' })];
    expect([fine.code, refused.code]).toEqual([0, TOOL_ERROR]);
    expect(refused.stdout + refused.stderr).toContain('not_found');
  });
});

test.each([
  ['2025-11-25', 'server-initialize'],
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'dns-rebinding-protection'],
])(
  'the conformance suite passes %s %s, as far as a server of tools can',
  { timeout: TIMEOUT_MS },
  async (revision, scenario) => {
    const proxy = await startTokenProxy(mcp.origin, mcp.admin);
    onTestFinished(proxy.close);
    const results = await mkdtemp(join(tmpdir(), 'leaseboard-conformance-'));
    onTestFinished(async () => rm(results, { recursive: true }));
    const { command, args } = conformanceCommand(`${proxy.url}/mcp`, results);
    const which = ['--spec-version', revision, '--scenario', scenario, '--expected-failures', BASELINE];
    const suite = spawn(command, [...args, ...which], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    for (const stream of [suite.stdout, suite.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
    const [code] = await once(suite, 'close');
    expect(code, said.join('')).toBe(0);
    expect(said.join('')).toContain(scenario);
  },
);
