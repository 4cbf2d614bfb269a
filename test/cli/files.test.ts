import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { scriptedServer } from '../client/support/scripted-server.ts';
import { createCliWorld, type CliWorld } from './support/cli-world.ts';

const BACKLOG = [
  {
    title: 'One',
    body: 'Two\nlines',
    priority: 7,
    labels: ['a', 'b'],
    properties: { url: 'https://example.com' },
  },
  { title: '=1+1', column: 'To do', assignee: 'drafter-1', skills: ['go'] },
  { title: 'Ünïcode "quoted", with a comma', dedupe_key: 'k-1', hold: true },
];

const BUSY = { error: { status: 503, code: 'throttled', title: 'Busy' } };

let world: CliWorld;
let boards = 0;

beforeAll(async () => {
  world = await createCliWorld();
});

afterAll(async () => world.close());

async function newBoard(): Promise<string> {
  const slug = `files-${(boards += 1)}`;
  await world.json(`board create --name Files --slug ${slug}`);
  return slug;
}

async function fileWith(name: string, text: string): Promise<string> {
  const file = join(world.folder, name);
  await writeFile(file, text);
  return file;
}

const jsonl = (cards: readonly object[]): string => cards.map((card) => `${JSON.stringify(card)}\n`).join('');

/** What people set on the cards of a board, oldest first. */
async function cardsOf(board: string): Promise<Record<string, unknown>[]> {
  const { out } = await world.cli(`export --board ${board}`);
  const cards = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return cards.map(
    ({ title, body, priority, labels, skills, properties, assignee, dedupe_key, hold, column }) => ({
      title,
      body,
      priority,
      labels,
      skills,
      properties,
      assignee,
      dedupe_key,
      hold,
      column,
    }),
  );
}

describe('a backlog', () => {
  test('asks again for the rows that a busy table refused, under the same key', async () => {
    const rows = (...statuses: number[]) => ({
      status: 200,
      body: {
        items: statuses.map((status, index) => ({ index, status, ...(status < 400 ? { card: {} } : BUSY) })),
      },
    });
    const server = await scriptedServer(rows(201, 503), rows(201, 201));
    const file = await fileWith('busy.jsonl', jsonl([{ title: 'One' }, { title: 'Two' }]));
    const env = { LEASEBOARD_URL: server.url };
    expect(await world.json(`import ${file} --board x`, { env })).toMatchObject({ created: 2, refused: [] });
    const [first, second] = server.seen.map(({ headers, body }) => [headers['idempotency-key'], body]);
    expect(second).toEqual(first);
  });

  test('may come from a spreadsheet, and begin with a byte order mark', async () => {
    const at = `--board ${await newBoard()} --column Ready`;
    const csv = await fileWith('sheet.csv', '\uFEFFTitle,Priority,Effort\r\nOne,7,3\r\n');
    const issue = { title: `${'x'.repeat(499)}\u{1F600}`, number: 1 };
    const github = await fileWith('issues.json', `\uFEFF${JSON.stringify([issue])}`);
    expect(await world.json(`import ${csv} ${at}`)).toMatchObject({ created: 1 });
    expect(await world.json(`import ${github} ${at}`)).toMatchObject({ created: 1 });
    const { items } = await world.json(`card list ${at} --sort priority`);
    expect(items).toMatchObject([{ title: 'One', priority: 7 }, { title: 'x'.repeat(499) }]);
  });

  test.each(['jsonl', 'csv'])('goes from board to board as %s, and stays what it is', async (format) => {
    const [first, second] = [await newBoard(), await newBoard()];
    const file = await fileWith(`backlog.jsonl`, jsonl(BACKLOG));
    const imported = await world.json(`import ${file} --board ${first} --column Ready`);
    expect(imported).toEqual({ read: 3, created: 3, deduplicated: 0, refused: [] });
    const before = await cardsOf(first);
    expect(before).toMatchObject([
      { title: 'One', body: 'Two\nlines', priority: 7, labels: ['a', 'b'], column: 'Ready' },
      { title: '=1+1', assignee: 'drafter-1', skills: ['go'], column: 'To do' },
      { title: 'Ünïcode "quoted", with a comma', dedupe_key: 'k-1', hold: true, column: 'Ready' },
    ]);

    const copy = join(world.folder, `copy.${format}`);
    await world.cli(`export --board ${first} --format ${format} --output ${copy}`);
    await world.json(`import ${copy} --board ${second}`);
    expect(await cardsOf(second)).toEqual(before);
  });

  test('written as CSV runs nothing in a spreadsheet', async () => {
    const board = await newBoard();
    const file = await fileWith('formula.jsonl', jsonl([{ title: '=cmd()' }, { title: '@sum' }]));
    await world.json(`import ${file} --board ${board}`);
    const { out } = await world.cli(`export --board ${board} --format csv`);
    expect(out).toMatch(/,'=cmd\(\),/);
    expect(out).toMatch(/,'@sum,/);
  });

  test('that is imported again within a day is not there twice', async () => {
    const board = await newBoard();
    const cards = Array.from({ length: 130 }, (_none, at) => ({ title: `Card ${at}` }));
    const file = await fileWith('many.jsonl', jsonl(cards));
    await world.json(`import ${file} --board ${board} --column Ready`);
    await world.json(`import ${file} --board ${board} --column Ready`);
    expect((await cardsOf(board)).map(({ title }) => title)).toEqual(cards.map(({ title }) => title));
  });

  test('has its bad rows named by line, and the others taken', async () => {
    const board = await newBoard();
    const file = await fileWith('bad.jsonl', jsonl([{ title: 'Good' }, { title: 'Bad', priority: 99 }]));
    const { code, out } = await world.cli(`import ${file} --board ${board} --json`);
    expect([code, JSON.parse(out)]).toEqual([
      EXIT.invalid,
      {
        read: 2,
        created: 1,
        deduplicated: 0,
        refused: [{ line: 2, detail: expect.stringContaining('priority') as string }],
      },
    ]);
  });

  test.each([
    ['not JSON', 'x.jsonl', '{"title": "One"}\n{', 'Line 2 is no JSON'],
    ['of a field that cards do not have', 'x.jsonl', '{"title": "One", "urgency": 1}', 'no "urgency"'],
    ['without titles', 'x.csv', 'Name;Priority\nOne;1', 'no column "title", but: Name;Priority. Commas'],
    ['without a title', 'x.csv', 'title,body\n,Hello', 'Line 2: a card needs a title'],
    ['of a word for a number', 'x.csv', 'title,priority\nOne,high', 'Line 2: priority takes a number'],
    ['no list of issues', 'x.json', '{}', 'no JSON array'],
    ['of an unknown kind', 'x.txt', '', 'Say --format'],
  ])('is refused before anything is sent when a line is %s', async (_what, name, text, message) => {
    const board = await newBoard();
    const file = await fileWith(name, text);
    const { code, err } = await world.cli(`import ${file} --board ${board}`);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  test('in CSV keeps columns of its own as properties', async () => {
    const board = await newBoard();
    const file = await fileWith('own.csv', '\uFEFFtitle,repo,labels\r\nOne,me/mine,"a; b"\r\n');
    await world.json(`import ${file} --board ${board}`);
    expect(await cardsOf(board)).toMatchObject([
      { title: 'One', properties: { repo: 'me/mine' }, labels: ['a', 'b'] },
    ]);
  });

  test('is only read by --dry-run', async () => {
    const board = await newBoard();
    const file = await fileWith('dry.jsonl', jsonl(BACKLOG));
    expect(await world.json(`import ${file} --board ${board} --dry-run`)).toMatchObject({
      read: 3,
      created: 0,
    });
    expect((await world.cli(`card list --board ${board} --json`)).out).toContain('"items":[]');
  });
});

describe('GitHub issues', () => {
  const rest = [
    {
      number: 7,
      title: 'Crash on start',
      body: null,
      state: 'open',
      html_url: 'https://github.com/me/mine/issues/7',
      url: 'https://api.github.com/repos/me/mine/issues/7',
      labels: [{ name: 'bug' }, { name: 'x'.repeat(40) }],
      assignees: [{ login: 'octo' }],
    },
    { number: 8, title: 'A pull request', state: 'open', pull_request: {} },
    { number: 9, title: 'Old', state: 'closed', html_url: 'https://github.com/me/mine/issues/9' },
  ];

  test('become cards once, for anybody to take', async () => {
    const board = await newBoard();
    const stdin = JSON.stringify(rest);
    const first = await world.json(`import - --format github --board ${board} --column Ready`, { stdin });
    expect(first).toMatchObject({ read: 1, created: 1 });
    expect(await cardsOf(board)).toMatchObject([
      {
        title: 'Crash on start',
        body: '',
        labels: ['bug'],
        assignee: null,
        properties: { url: 'https://github.com/me/mine/issues/7', number: 7 },
        dedupe_key: 'https://github.com/me/mine/issues/7',
      },
    ]);
    // As `gh issue list` writes them: another text, the same issue.
    const gh = JSON.stringify([
      { ...rest[0], title: 'Crash', html_url: undefined, url: rest[0]?.html_url, state: 'OPEN' },
    ]);
    const again = await world.json(`import - --format github --board ${board} --column Ready`, { stdin: gh });
    expect(again).toMatchObject({ read: 1, created: 0, deduplicated: 1 });
  });

  test('are what an export writes, closed ones with it', async () => {
    const board = await newBoard();
    const file = await fileWith('issues.json', JSON.stringify(rest));
    await world.json(`import ${file} --board ${board} --closed --keep-assignees`);
    const { items } = await world.json(`card list --board ${board} --search Old`);
    const [old] = items as { key: string }[];
    await world.json(`card complete ${String(old?.key)} --board ${board}`);
    const copy = join(world.folder, 'copy.json');
    await world.cli(`export --board ${board} --format github --output ${copy}`);
    expect(JSON.parse(await readFile(copy, 'utf8'))).toMatchObject([
      { title: 'Crash on start', state: 'open', labels: [{ name: 'bug' }], assignees: [{ login: 'octo' }] },
      { title: 'Old', state: 'closed', assignees: [] },
    ]);
  });
});
