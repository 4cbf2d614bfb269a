import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openCheckpoint } from '../../local/stream-checkpoint.ts';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-checkpoint-'));
  file = join(directory, 'fanout-checkpoint.json');
  onTestFinished(async () => rm(directory, { recursive: true }));
});

test('the next start finds each shard’s place', async () => {
  const first = await openCheckpoint(file, 'arn:stream');
  expect(first.after('shard-1')).toBeNull();
  await first.record('shard-1', '100');
  await first.record('shard-2', '7');
  await first.record('shard-1', '101');

  const second = await openCheckpoint(file, 'arn:stream');
  expect(second.after('shard-1')).toBe('101');
  expect(second.after('shard-2')).toBe('7');
  expect(await readdir(directory)).toEqual(['fanout-checkpoint.json']);
});

test('places in the stream of another table are not used', async () => {
  await (await openCheckpoint(file, 'arn:old')).record('shard-1', '100');
  expect((await openCheckpoint(file, 'arn:new')).after('shard-1')).toBeNull();
});

test.each(['', '{"streamArn":"arn:stream","pla', '[]', '{"streamArn":"arn:stream"}'])(
  'a file that reads %j is read as none: everything comes again',
  async (text) => {
    await writeFile(file, text);
    const checkpoint = await openCheckpoint(file, 'arn:stream');
    expect(checkpoint.after('shard-1')).toBeNull();
    await checkpoint.record('shard-1', '1');
    expect(await readFile(file, 'utf8')).toBe('{"streamArn":"arn:stream","places":{"shard-1":"1"}}');
  },
);

test('in memory nothing is written', async () => {
  const checkpoint = await openCheckpoint(null, 'arn:stream');
  await checkpoint.record('shard-1', '1');
  expect(checkpoint.after('shard-1')).toBe('1');
  expect(await readdir(directory)).toEqual([]);
});
