/** The table of tools: what each token is shown, and what every row keeps to. */
import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { ARGUMENT_NOTES } from '../../functions/mcp/argument-notes.ts';
import { INSTRUCTIONS } from '../../functions/mcp/instructions.ts';
import { jsonSchemaOf } from '../../functions/mcp/json-schema.ts';
import { NEXT_STEPS } from '../../functions/mcp/next-steps.ts';
import { Done } from '../../functions/mcp/schemas.ts';
import { TOOLS } from '../../functions/mcp/tools.ts';
import { PROBLEMS } from '../../shared/errors.ts';
import type { Scope } from '../../shared/model/states.ts';
import { createMcpWorld, type McpWorld } from './support/mcp-world.ts';
import { NOT_TOOLS } from './support/not-tools.ts';

let mcp: McpWorld;
const lists = new Map<Scope, Tool[]>();

beforeAll(async () => {
  mcp = await createMcpWorld();
  for (const scope of ['worker', 'member', 'admin'] as const) {
    const { client } = await mcp.connect(await mcp.token(`a${scope}`, { scopes: [scope] }));
    lists.set(scope, (await client.listTools()).tools);
  }
});

afterAll(async () => mcp.close());

const names = (scope: Scope): string[] => (lists.get(scope) ?? []).map(({ name }) => name);
const all = (): Tool[] => lists.get('admin') ?? [];

/** Every name of a property within a schema. */
function properties(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(properties);
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'properties' && typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(properties)]
      : properties(value),
  );
}

describe('a token', () => {
  test('of a worker sees the tools of a worker and no others', () => {
    expect(names('worker')).toEqual([
      'claim_next_card',
      'renew_lease',
      'complete_lease',
      'fail_lease',
      'release_lease',
      'block_lease',
      'request_review',
      'request_changes',
      'get_lease',
      'list_leases',
      'get_frontier',
      'claim_card',
      'get_card',
      'list_cards',
      'create_card',
      'create_cards',
      'update_card',
      'list_runs',
      'get_run',
      'list_card_events',
      'get_context',
      'create_comment',
      'list_comments',
      'link_cards',
      'list_links',
      'decompose_card',
      'create_attachment',
      'list_attachments',
      'get_me',
      'list_boards',
      'get_board',
      'get_column_contract',
      'get_stats',
      'get_diagnostics',
      'create_graph',
      'create_swarm',
    ]);
  });

  test('of a wider scope sees these and more, in the same order', () => {
    const [worker, member, admin] = [names('worker'), names('member'), names('admin')];
    expect(member.filter((name) => worker.includes(name))).toEqual(worker);
    expect(admin.filter((name) => member.includes(name))).toEqual(member);
    expect(member).toContain('set_column_contract');
    expect(member).not.toContain('delete_board');
    expect(admin).toEqual(TOOLS.map(({ name }) => name));
  });

  test('that calls a tool beyond its scope is told which scope that needs', async () => {
    const { call } = await mcp.connect(await mcp.token('narrow', { scopes: ['worker'] }));
    const { isError, value } = await call('delete_board', { board_id: 'any' });
    expect(isError).toBe(true);
    expect(value['error']).toMatchObject({ code: 'forbidden' });
    expect(JSON.stringify(value)).toContain("scope 'admin'");
  });
});

describe('the table', () => {
  test('has a row for every route that needs a token, or a reason why not', () => {
    const called = TOOLS.map(({ route }) => route as string);
    const addresses = allRoutes.map(({ method, path }) => `${method} ${path}`);
    const missing = addresses.filter((address) => !called.includes(address) && !(address in NOT_TOOLS));
    expect(
      missing,
      'add a row in functions/mcp/tools/, or a reason in test/mcp/support/not-tools.ts',
    ).toEqual([]);
    expect(Object.keys(NOT_TOOLS).filter((address) => called.includes(address))).toEqual([]);
    expect(Object.keys(NOT_TOOLS).filter((address) => !addresses.includes(address))).toEqual([]);
  });

  test('names each tool once, by a verb and a noun', () => {
    expect(new Set(names('admin')).size).toBe(TOOLS.length);
    for (const name of names('admin')) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  test('says all four hints of each tool', () => {
    for (const { name, annotations } of all()) {
      expect(annotations, name).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  test('has no tool that reaches beyond the board, but for files from the web', () => {
    const open = all().filter(({ annotations }) => annotations?.openWorldHint);
    expect(open.map(({ name }) => name)).toEqual(['create_attachment']);
  });

  test('calls a tool read-only exactly when its route is a GET', () => {
    const byHint = all()
      .filter(({ annotations }) => annotations?.readOnlyHint)
      .map(({ name }) => name);
    const byMethod = TOOLS.filter(({ calls }) => calls.method === 'GET').map(({ name }) => name);
    expect(byHint).toEqual(byMethod);
  });

  test('calls every tool destructive that deletes', () => {
    const harmless = TOOLS.filter(({ calls, hints }) => calls.method === 'DELETE' && !hints.destructiveHint);
    expect(harmless).toEqual([]);
  });

  test('takes one flat object of named arguments, and answers an object', () => {
    for (const { name, inputSchema, outputSchema, description } of all()) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema, name).toMatchObject({ type: 'object' });
      expect(description?.length, name).toBeGreaterThan(20);
    }
  });

  test('shows how each claim is repeated safely', () => {
    for (const claim of ['claim_next_card', 'claim_card']) {
      const tool = all().find(({ name }) => name === claim);
      expect(tool?.inputSchema.properties).toHaveProperty('claim_key');
      expect(tool?.description + INSTRUCTIONS).toMatch(/claim_key/);
    }
  });

  test('marks every answer that holds words of others', () => {
    const words = new Set([
      'title',
      'body',
      'summary',
      'note',
      'reason',
      'description',
      'output',
      'checkpoint',
    ]);
    const unmarked = TOOLS.filter(({ untrusted }) => !untrusted).filter(({ answer }) =>
      properties(jsonSchemaOf(answer ?? Done, 'output')).some((name) => words.has(name)),
    );
    expect(unmarked.map(({ name }) => name)).toEqual([]);
  });

  test('speaks in its words only of tools, arguments and fields that there are', () => {
    const known = new Set([
      ...names('admin'),
      ...Object.keys(PROBLEMS),
      ...all().flatMap(({ inputSchema, outputSchema }) => properties([inputSchema, outputSchema])),
    ]);
    const enums = JSON.stringify(all().map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]));
    const prose = [
      INSTRUCTIONS,
      ...all().map(({ description }) => description ?? ''),
      ...Object.values(NEXT_STEPS),
      ...Object.values(ARGUMENT_NOTES),
    ].join('\n');
    const spoken = new Set(prose.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
    const unknown = [...spoken].filter((word) => !known.has(word) && !enums.includes(`"${word}"`));
    expect(unknown.filter((word) => !/^(col|crd|lse|run)_/.test(word))).toEqual([]);
  });

  test('explains no argument that no tool takes', () => {
    const taken = new Set(all().flatMap(({ inputSchema }) => properties(inputSchema)));
    expect(Object.keys(ARGUMENT_NOTES).filter((name) => !taken.has(name))).toEqual([]);
  });
});
