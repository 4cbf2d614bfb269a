import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { HANDLER_BUNDLE, PROJECT_ROOT } from '../../infra/bundling.ts';

/** Files that end up in a function's bundle. */
async function inputsOf(name: 'claim' | 'lease' | 'api'): Promise<string[]> {
  const { metafile } = await build({
    ...HANDLER_BUNDLE,
    absWorkingDir: PROJECT_ROOT,
    entryPoints: [join(PROJECT_ROOT, FUNCTIONS[name].entry)],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

const verbs = (inputs: readonly string[]): string[] =>
  inputs.flatMap((file) => /^shared\/verbs\/(.+)\.ts$/.exec(file)?.[1] ?? []).sort();

test.each(['claim', 'lease'] as const)('the bundle of %s carries no document', async (name) => {
  const inputs = await inputsOf(name);
  expect(inputs.filter((file) => /openapi|operations|schemas\/responses/.test(file))).toEqual([]);
});

test('a hot function carries the verbs that it serves and no others', async () => {
  expect(verbs(await inputsOf('claim'))).toEqual([
    'claim-batch',
    'claim-next',
    'pause-column',
    'redrive-column',
    // A batch gives back what its answer has no room for.
    'release-lease',
    'resume-column',
  ]);
  expect(verbs(await inputsOf('lease'))).toEqual([
    'block-lease',
    'complete-lease',
    'fail-lease',
    'release-lease',
    'renew-lease',
    'renew-leases',
    'request-changes',
    'request-review',
  ]);
});
