import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { databaseCommand } from '../../local/dynamodb-command.ts';
import { UserError } from '../../local/user-error.ts';

let path: string;

/** A PATH on which only what a test puts there is found. */
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'leaseboard-path-'));
  vi.stubEnv('PATH', path);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(path, { recursive: true });
  });
});

async function install(program: string, exitCode: number): Promise<void> {
  await writeFile(join(path, program), `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
}

test('without Java and Docker it says what to install', async () => {
  const command = databaseCommand({ port: 4000, directory: null });
  await expect(command).rejects.toThrow(UserError);
  await expect(command).rejects.toThrow('apt-get install default-jre-headless');
  await expect(command).rejects.toThrow('brew install openjdk');
});

test('a Docker without a daemon is none', async () => {
  await install('docker', 1);
  await expect(databaseCommand({ port: 4000, directory: null })).rejects.toThrow('Docker daemon');
});

test('with Java it runs the jar of the package', async () => {
  await install('java', 0);
  await install('docker', 0);
  const { program, args } = await databaseCommand({ port: 4000, directory: '/data' });
  expect(program).toBe('java');
  expect(args.join(' ')).toMatch(/DynamoDBLocal\.jar -port 4000 -disableTelemetry -sharedDb -dbPath \/data$/);
});

test('with Docker only it runs the image, published on loopback and writing to the directory', async () => {
  await install('docker', 0);
  const { program, args } = await databaseCommand({ port: 4000, directory: '/data' });
  expect(program).toBe('docker');
  const line = args.join(' ');
  expect(line).toContain('--publish 127.0.0.1:4000:8000');
  expect(line).toContain('--mount type=bind,source=/data,target=/data');
  expect(line).toMatch(/-disableTelemetry -sharedDb -dbPath \/data$/);
});
