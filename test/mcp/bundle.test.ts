/** What the bundle of the MCP function carries, and that no other carries any of it. */
import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTIONS, type FunctionName } from '../../functions/manifest.ts';
import { HANDLER_BUNDLE, PROJECT_ROOT } from '../../infra/bundling.ts';

/** Each 100 KB cost about 15 ms of a cold start. Zod's messages in fifty languages alone would be 300 KB more. */
const CEILING_BYTES = 1_100 * 1_024;

const OTHERS = (Object.keys(FUNCTIONS) as FunctionName[]).filter((name) => name !== 'mcp');

async function bundle(name: FunctionName): Promise<{ inputs: string[]; bytes: number }> {
  const { metafile, outputFiles } = await build({
    ...HANDLER_BUNDLE,
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [join(PROJECT_ROOT, FUNCTIONS[name].entry)],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  const kept = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { inputs: kept.map(([file]) => file), bytes: outputFiles[0]?.contents.length ?? 0 };
}

test('the bundle of mcp has the protocol, and neither the document nor messages in other languages', async () => {
  const { inputs, bytes } = await bundle('mcp');
  expect(inputs.some((file) => file.includes('@modelcontextprotocol/server'))).toBe(true);
  expect(inputs.filter((file) => /zod-openapi|zod\/v4\/locales\/(?!en|index)/.test(file))).toEqual([]);
  expect(bytes).toBeLessThan(CEILING_BYTES);
});

test.each(OTHERS)('the bundle of %s has nothing of the protocol', async (name) => {
  const { inputs } = await bundle(name);
  expect(inputs.filter((file) => /@modelcontextprotocol|functions\/mcp\//.test(file))).toEqual([]);
});
