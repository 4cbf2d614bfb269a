import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { adminToken, isAdminToken } from '../../local/admin-token.ts';
import { leaseKey } from '../../local/lease-key.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'leaseboard-kept-'));
  onTestFinished(async () => rm(directory, { recursive: true }));
});

async function modeOf(name: string): Promise<number> {
  return (await stat(join(directory, name))).mode & 0o777;
}

test('the lease key is made once and only its owner may read it', async () => {
  const first = await leaseKey(directory);
  expect(await leaseKey(directory)).toBe(first);
  expect(await modeOf('lease-key.json')).toBe(0o600);
});

test('the lease key has the form that the functions read', async () => {
  const { current, keys } = JSON.parse(await leaseKey(null)) as {
    current: string;
    keys: Record<string, string>;
  };
  expect(Buffer.from(keys[current] ?? '', 'base64url')).toHaveLength(32);
});

test('a lease key in memory is another one each time', async () => {
  expect(await leaseKey(null)).not.toBe(await leaseKey(null));
});

test('a damaged lease key is refused and not replaced', async () => {
  const file = join(directory, 'lease-key.json');
  await writeFile(file, '{"curr');
  await expect(leaseKey(directory)).rejects.toThrow(file);
  expect(await readFile(file, 'utf8')).toBe('{"curr');
});

test('a generated admin token is kept for its owner alone and used again', async () => {
  const first = await adminToken(null, directory);
  expect(isAdminToken(first)).toBe(true);
  expect(await adminToken(null, directory)).toBe(first);
  expect(await modeOf('admin-token')).toBe(0o600);
});

test('an admin token that is given leaves no trace', async () => {
  const given = `lb_ci_${'x'.repeat(32)}`;
  expect(await adminToken(given, directory)).toBe(given);
  expect(await readdir(directory)).toEqual([]);
});

test('a kept admin token that is none is refused without showing it', async () => {
  await writeFile(join(directory, 'admin-token'), 'not-a-token');
  await chmod(join(directory, 'admin-token'), 0o600);
  const refusal = adminToken(null, directory);
  await expect(refusal).rejects.toThrow('holds no token');
  await expect(refusal).rejects.not.toThrow('not-a-token');
});
