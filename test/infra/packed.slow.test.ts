/** What `npm pack` makes, beside nothing but the CDK: an application of ten lines on it is synthesized and type-checked. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FUNCTIONS, TRACER } from '../../functions/manifest.ts';
import { PROJECT_ROOT } from '../../infra/bundling.ts';
import type { Resource } from './support/synth.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const run = promisify(execFile);

const APP = `import { App, Stack } from 'aws-cdk-lib';
import { Column, Leaseboard } from 'leaseboard/cdk';

const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Mine');
const leaseboard = new Leaseboard(stack, 'Leaseboard', { tracing: {} });
const drafts = Column.queue('Drafts', { metrics: true });
const board = leaseboard.addBoard('Articles', { columns: [drafts, Column.done('Done')] });
leaseboard.metrics.ofColumn(board, drafts);
app.synth();
`;

const BOARD = `import { App, Stack } from 'aws-cdk-lib';
import { Leaseboard, WebBoard } from 'leaseboard/cdk';

const app = new App({ outdir: 'board.out' });
const stack = new Stack(app, 'Watched');
new WebBoard(stack, 'Web', { leaseboard: new Leaseboard(stack, 'Leaseboard') });
app.synth();
`;

let folder: string;
let leaseboard: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-cdk-'));
  const modules = join(folder, 'node_modules');
  leaseboard = join(modules, 'leaseboard');
  await mkdir(leaseboard, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PROJECT_ROOT });
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  // As npm would put it there, without asking a registry for the packages of the command line.
  await run('tar', ['-xzf', join(folder, tarball), '-C', leaseboard, '--strip-components=1']);
  for (const peer of ['aws-cdk-lib', 'constructs', '@types'])
    await symlink(join(PROJECT_ROOT, 'node_modules', peer), join(modules, peer));
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await writeFile(join(folder, 'app.ts'), APP);
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Packages that the entries of the package load, themselves or by what they load. */
async function packagesOf(entryPoints: string[]): Promise<Set<string>> {
  const options = { bundle: true, write: false, metafile: true, outdir: folder } as const;
  const { metafile } = await build({
    ...options,
    entryPoints,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const names = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return new Set(
    names
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
}

test('an application of ten lines is synthesized, with the functions that the package brings', async () => {
  const { stderr } = await run(process.execPath, ['app.ts'], { cwd: folder });
  expect(stderr).not.toMatch(/error|warn/i);
  const output = join(folder, 'cdk.out');
  const { Resources } = JSON.parse(await readFile(join(output, 'Mine.template.json'), 'utf8')) as {
    Resources: Record<string, Resource>;
  };
  const keys = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => (Properties['Code'] as { S3Key: string }).S3Key.replace('.zip', ''));

  expect(new Set(keys).size).toBe(Object.keys(FUNCTIONS).length + 1);
  for (const key of keys) expect(existsSync(join(output, `asset.${key}`, 'index.js')), key).toBe(true);
  expect(existsSync(join(leaseboard, 'dist/handlers', TRACER.entry, '../index.js'))).toBe(true);
});

test('the board that people watch is there too, built', async () => {
  await writeFile(join(folder, 'board.ts'), BOARD);
  await run(process.execPath, ['board.ts'], { cwd: folder });

  const assets = await readdir(join(folder, 'board.out'));
  expect(assets.some((asset) => existsSync(join(folder, 'board.out', asset, 'index.html')))).toBe(true);
});

test('its types are those of a project that has the CDK and nothing else of ours', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  const tsc = join(PROJECT_ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error);

  // The CDK's own declarations are not ours to answer for.
  expect(
    stdout.split('\n').filter((line) => line.includes('leaseboard') || line.startsWith('app.ts')),
  ).toEqual([]);
});

test('it depends on what its library, its client and its command line ask for, and on no more', async () => {
  const manifest = JSON.parse(await readFile(join(leaseboard, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  const entries = ['client/index.js', 'cli/main.js', 'infra/index.js'];
  const asked = await packagesOf(entries.map((entry) => join(leaseboard, 'dist', entry)));

  const { dependencies, peerDependencies } = manifest;
  expect(asked).toEqual(new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]));
});
