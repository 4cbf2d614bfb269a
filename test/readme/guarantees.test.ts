/** Every guarantee names tests that exist, by file and title. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Guarantee {
  readonly promise: string;
  /** Files, and what must be found in each. */
  readonly holders: readonly { readonly path: string; readonly titles: readonly string[] }[];
}

function guarantees(): Guarantee[] {
  const [, promised = ''] = read('docs/guarantees.md').split('## Promised');
  const [table = ''] = promised.split('## Not promised');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  return rows.slice(1).map((row) => {
    const [, promise = '', held = ''] = row
      .split(' | ')
      .flatMap((cell, at) => (at === 0 ? ['', cell.slice(2)] : [cell]));
    const holders = held
      .split(';')
      .filter((holder) => holder.includes('`'))
      .map((holder) => ({
        path: /`([^`]+)`/.exec(holder)?.[1] ?? '',
        titles: [...holder.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ''),
      }));
    return { promise: promise.trim(), holders };
  });
}

it('each promise is held by a test or a rule that exists', () => {
  const all = guarantees();
  expect(all.length).toBeGreaterThanOrEqual(30);
  const faults = all.flatMap(({ promise, holders }) => {
    if (holders.length === 0) return [`${promise} is held by nothing`];
    return holders.flatMap(({ path, titles }) => {
      if (!existsSync(new URL(path, ROOT))) return [`${promise} names ${path}, which does not exist`];
      const text = read(path);
      return titles.filter((title) => !text.includes(title)).map((title) => `${path} has no "${title}"`);
    });
  });
  expect(faults).toEqual([]);
});
