import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../infra/bundling.ts';
import { installed, isAllowed } from '../../infra/supply/licences.ts';

const run = promisify(execFile);

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly link?: boolean;
  /** Comes within another package, whose hash covers it. */
  readonly inBundle?: boolean;
}

async function lockFile(): Promise<{ readonly packages: Readonly<Record<string, Locked>> }> {
  return JSON.parse(await readFile(join(PROJECT_ROOT, 'package-lock.json'), 'utf8'));
}

describe('licences', () => {
  test('of everything that is installed are allowed', async () => {
    const all = installed(await lockFile());

    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((one) => !isAllowed(one))).toEqual([]);
  });

  test('are listed and checked by the command', async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'licences'], { cwd: PROJECT_ROOT });

    expect(stdout).toMatch(/^\d+\tMIT$/m);
  });

  test('and all that is installed is pinned: by its version here, and by its content in the lock file', async () => {
    const { packages } = await lockFile();
    const { dependencies = {}, devDependencies = {} } = packages[''] ?? {};
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
    const fetched = Object.entries(packages).filter(
      ([path, { link, inBundle }]) => path.includes('node_modules/') && link !== true && inBundle !== true,
    );
    expect(fetched.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
  });

  test.each([
    ['GPL-3.0-only', false, false],
    ['AGPL-3.0-or-later', false, false],
    ['AGPL-3.0-or-later', true, true],
    ['MIT OR GPL-3.0-or-later', false, true],
    ['MIT AND GPL-3.0-or-later', false, false],
    ['unknown', true, false],
  ])('%s, in development only %s, is allowed: %s', (licence, development, allowed) => {
    expect(isAllowed({ licence, development })).toBe(allowed);
  });
});
