import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { divertFunctionLog } from '../../local/function-log.ts';

let file: string;
let printed: string[];
let errors: string[];

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-log-'));
  file = join(directory, 'data', 'functions.log');
  [printed, errors] = [[], []];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0);
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await rm(directory, { recursive: true });
  });
});

test('what functions write to standard output goes to the file, what is printed to the terminal', async () => {
  const log = divertFunctionLog(file);
  process.stdout.write('{"level":"INFO"}\n');
  log.print('Ready');
  await log.close();
  expect(await readFile(file, 'utf8')).toBe('{"level":"INFO"}\n');
  expect(printed).toEqual(['Ready\n']);
  expect(errors).toEqual([]);
});

test('errors are shown, too, even where nothing is kept', async () => {
  const log = divertFunctionLog(null);
  process.stdout.write('{"level":"ERROR","message":"broken"}\n');
  process.stdout.write('{"level":"INFO"}\n');
  await log.close();
  expect(errors).toEqual(['{"level":"ERROR","message":"broken"}\n']);
  expect(printed).toEqual([]);
});

test('nothing is made before there is a line', async () => {
  await divertFunctionLog(file).close();
  await expect(stat(join(file, '..'))).rejects.toThrow('ENOENT');
});

test('afterwards standard output is as it was', async () => {
  await divertFunctionLog(file).close();
  process.stdout.write('mine\n');
  expect(printed).toEqual(['mine\n']);
});

test('a full file makes room for a new one, and a later start adds to it', async () => {
  for (const line of ['first\n', 'second\n']) {
    const log = divertFunctionLog(file);
    process.stdout.write(line);
    await log.close();
  }
  expect(await readFile(file, 'utf8')).toBe('first\nsecond\n');
  await truncate(file, 16 * 1024 * 1024 + 1);
  await writeFile(`${file}.1`, 'older');
  const log = divertFunctionLog(file);
  process.stdout.write('third\n');
  await log.close();
  expect(await readFile(file, 'utf8')).toBe('third\n');
  expect((await stat(`${file}.1`)).size).toBe(16 * 1024 * 1024 + 1);
});
