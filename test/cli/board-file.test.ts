import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { createCliWorld, type CliWorld } from './support/cli-world.ts';

let world: CliWorld;
/** The export of a board of three cards, as it lies in the working folder. */
let file: string;
let rows: Record<string, unknown>[];

beforeAll(async () => {
  world = await createCliWorld();
  await world.json('board create --name Newsroom --slug newsroom');
  for (const title of ['One', 'Two', 'Three']) {
    world.mcp.world.clock.advance(1);
    await world.json(`card create --board newsroom --column Ready --title ${title}`);
  }
  const { out } = await world.cli('board export newsroom');
  rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  file = await fileOf('newsroom.ndjson', rows);
});

afterAll(async () => world.close());

async function fileOf(name: string, lines: readonly object[]): Promise<string> {
  const path = join(world.folder, name);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

describe('a board in a file', () => {
  test('is a row a line, all of it', () => {
    expect(rows[0]).toMatchObject({ type: 'board', slug: 'newsroom' });
    const cards = rows.filter(({ type }) => type === 'card');
    expect(cards.map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
  });

  test('becomes a board again, once', async () => {
    const first = await world.json(`board import ${file} copy --create`);
    expect(first).toEqual({ read: rows.length, created: rows.length, existing: 0, refused: [] });
    const again = await world.json(`board import ${file} copy --create`);
    expect(again).toEqual({ read: rows.length, created: 0, existing: rows.length, refused: [] });
    expect(await world.json('board show copy')).toMatchObject({ name: 'Newsroom', counts: { ready: 3 } });
  });

  test('may come by standard input, and makes no board that was not asked for', async () => {
    const stdin = rows.map((row) => JSON.stringify(row)).join('\n');
    expect(await world.cli('board import - nowhere', { stdin })).toMatchObject({ code: EXIT.notFound });
    expect(await world.json('board import - piped --create', { stdin })).toMatchObject({ refused: [] });
  });

  test('has its bad rows named by line, and the others taken', async () => {
    const bad = rows.map((row) => (row['title'] === 'Two' ? { ...row, priority: 99 } : row));
    const path = await fileOf('bad.ndjson', bad);
    const { code, out } = await world.cli(`board import ${path} bad --create --json`);
    const line = bad.findIndex(({ priority }) => priority === 99) + 1;
    expect([code, JSON.parse(out)]).toMatchObject([
      EXIT.invalid,
      { created: rows.length - 1, refused: [{ line, detail: expect.stringContaining('/priority') }] },
    ]);
  });

  test('is sent in parts that the API takes', async () => {
    const card = rows.find(({ type }) => type === 'card') ?? {};
    const many = Array.from({ length: 230 }, (_, at) => ({ ...card, id: numbered(String(card['id']), at) }));
    const path = await fileOf('many.ndjson', [...rows.filter(({ type }) => type !== 'card'), ...many]);
    const imported = await world.json(`board import ${path} many --create`);
    expect(imported).toMatchObject({ refused: [], existing: 0 });
  });

  test.each([
    ['a backlog', { title: 'One' }, 'board import FILE copy', 'no "type"'],
    ['a board', { type: 'board', title: 'One' }, 'import FILE --board copy', 'board import'],
  ])('is told from %s', async (_what, line, words, said) => {
    const path = await fileOf('other.jsonl', [line]);
    const { code, err } = await world.cli(words.replace('FILE', path));
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(said)]);
  });
});

/** Another id of the same time. */
function numbered(id: string, at: number): string {
  return id.slice(0, -4) + String(at).padStart(4, '0');
}
