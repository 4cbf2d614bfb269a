import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withTables } from './support/tools-table.ts';

test('docs/mcp.md lists the tools that there are, and what is none', async () => {
  const document = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
  expect(document, 'run `node test/mcp/write-tools-table.ts`').toBe(withTables(document));
});
