/**
 * `npm run licences`: lists the licences of everything that is installed, and fails for one that nobody has allowed.
 * What is deployed must be free of conditions on our users; what only tests use never leaves the checkout, and may
 * have others, each named here with its reason.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../bundling.ts';

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

/** Of what only tests and tools use. */
const ALLOWED_IN_DEVELOPMENT: Readonly<Record<string, string>> = {
  'AGPL-3.0-or-later':
    'The policy simulator and its parts run in tests; nothing is linked with what is shipped.',
  'MPL-2.0': 'Tools of the build and of tests, unchanged.',
  'SEE LICENSE IN LICENSE': 'The inspector of MCP, MIT and Apache-2.0 in parts, which only tests start.',
};

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

export interface Licensed {
  readonly name: string;
  readonly licence: string;
  /** Installed for tests and tools only. */
  readonly development: boolean;
}

/** Everything that the lock file installs. A licence that it does not tell is read from the package. */
export function installed(lock: { readonly packages: Readonly<Record<string, LockedPackage>> }): Licensed[] {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, locked]) => ({
      name: `${path.replace(/^.*node_modules\//, '')}@${locked.version ?? ''}`,
      licence: locked.license ?? licenceIn(path),
      development: locked.dev === true || locked.devOptional === true,
    }));
}

function licenceIn(path: string): string {
  try {
    const text = readFileSync(join(PROJECT_ROOT, path, 'package.json'), 'utf8');
    const { license } = JSON.parse(text) as { license?: unknown };
    return typeof license === 'string' ? license : 'unknown';
  } catch {
    // For another platform, and therefore not here; its siblings for this one are checked.
    return 'not installed';
  }
}

/** True for an expression (SPDX) whose every part, or one of whose choices, is allowed. */
export function isAllowed({ licence, development }: Omit<Licensed, 'name'>): boolean {
  const text = licence.replaceAll(/[()]/g, '');
  return text.split(' OR ').some((choice) =>
    choice
      .split(' AND ')
      .map((part) => part.trim())
      .every(
        (part) =>
          ALLOWED.has(part) || part === 'not installed' || (development && part in ALLOWED_IN_DEVELOPMENT),
      ),
  );
}

function main(): void {
  const lock = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package-lock.json'), 'utf8')) as Parameters<
    typeof installed
  >[0];
  const all = installed(lock);
  const counts = Map.groupBy(
    all,
    ({ licence, development }) => `${licence}${development ? ' (tests and tools)' : ''}`,
  );
  for (const [licence, packages] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${packages.length}\t${licence}`);
  const refused = all.filter((one) => !isAllowed(one));
  for (const { name, licence } of refused) console.error(`Not allowed: ${name} is under ${licence}.`);
  if (refused.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
