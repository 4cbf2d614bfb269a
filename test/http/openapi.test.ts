import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { createHttpWorld } from './support/http-world.ts';

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: Document;

beforeAll(async () => {
  const http = await createHttpWorld();
  const { status, body } = await http.call({ path: '/v1/openapi.json' }, null);
  expect(status).toBe(200);
  document = body as unknown as Document;
});

const operation = (method: string, path: string): Operation | undefined =>
  document.paths[path]?.[method.toLowerCase()];

describe('the OpenAPI document', () => {
  test('is of version 3.1 and lists each route once, and nothing else', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(allRoutes.map((route) => `${route.method} ${route.path}`).sort());
  });

  test('names each operation by itself', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(allRoutes)('says whether $method $path needs a token', ({ method, path, scope }) => {
    expect(operation(method, path)?.security).toEqual(scope === null ? [] : undefined);
  });

  test('shows bodies closed and answers open, as requests are refused and answers may grow', () => {
    const { schema } = operation('POST', '/v1/boards/{board}/cards')?.requestBody?.content[
      'application/json'
    ] ?? { schema: {} };
    expect(schema.additionalProperties).toBe(false);
    expect(schema.required).toEqual(['title']);
    expect(document.components.schemas['Card']).not.toHaveProperty('additionalProperties');
    expect(document.components.schemas['Card']?.required).toContain('waiting_on');
  });

  test('shows a contract as its parser takes it: every field, none required', () => {
    const put = operation('PUT', '/v1/boards/{board}/columns/{column}/contract')?.requestBody;
    expect(put?.required).toBe(false);
    expect(Object.keys(put?.content['application/json'].schema.properties ?? {})).toContain(
      'lease_ttl_seconds',
    );
  });

  test('shows the headers where they are taken', () => {
    const headers = (method: string, path: string): string[] =>
      (operation(method, path)?.parameters ?? []).flatMap((one) => (one.in === 'header' ? [one.name] : []));
    expect(headers('POST', '/v1/boards')).toEqual(['X-Agent', 'Idempotency-Key']);
    expect(headers('PATCH', '/v1/cards/{card}')).toEqual(['X-Agent', 'If-Match', 'X-Lease-Token']);
    expect(headers('POST', '/v1/tokens')).toEqual(['X-Agent']);
    expect(headers('POST', '/v1/leases/{lease}:renew')).toEqual(['X-Agent', 'X-Lease-Token']);
  });

  test('is clean by an independent linter', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'leaseboard-openapi-'));
    try {
      const file = join(directory, 'openapi.json');
      writeFileSync(file, JSON.stringify(document));
      const redocly = join(import.meta.dirname, '../../node_modules/.bin/redocly');
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const { stdout, stderr } = await promisify(execFile)(redocly, ['lint', '--format=json', file], { env });
      const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems?: unknown[] };
      expect(report.problems, stderr).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
