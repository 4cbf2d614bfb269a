/** Writes the tables of docs/mcp.md: `node test/mcp/write-tools-table.ts`. A test compares them. */
import { readFile, writeFile } from 'node:fs/promises';
import { withTables } from './support/tools-table.ts';

const document = new URL('../../docs/mcp.md', import.meta.url);
await writeFile(document, withTables(await readFile(document, 'utf8')));
