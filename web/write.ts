/** `node web/write.ts DIRECTORY`: the built board as files, for whoever serves them from a bucket. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildWeb } from './build.ts';

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('Say where to: node web/write.ts DIRECTORY');
  process.exit(2);
}
for (const [path, { body }] of await buildWeb()) {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, body);
}
