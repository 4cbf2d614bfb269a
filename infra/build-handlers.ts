/** `node infra/build-handlers.ts`: bundles every handler into dist/handlers, for the published package. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { FUNCTIONS, TRACER } from '../functions/manifest.ts';
import { bundledAt, HANDLER_BUNDLE, PROJECT_ROOT } from './bundling.ts';

for (const { entry } of [...Object.values(FUNCTIONS), TRACER]) {
  await build({
    ...HANDLER_BUNDLE,
    entryPoints: [join(PROJECT_ROOT, entry)],
    outfile: join(bundledAt(entry, join(PROJECT_ROOT, 'dist')), 'index.js'),
  });
}
