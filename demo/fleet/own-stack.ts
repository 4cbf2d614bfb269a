/** A server of the demo's own: in memory, on a free port, ended with the demo. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const SECRET_BYTES = 32;
/** DynamoDB Local takes some seconds to start, longer on a busy machine. */
const START_LIMIT_MS = 90_000;
/** The server ends its own parts within 15 s. */
const STOP_LIMIT_MS = 20_000;
/** The line by which the server says that it is ready. */
const READY = /ready at (http:\/\/\S+)/;

export interface OwnStack {
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/**
 * Resolves once the server answers; throws with what the server said when it does not start.
 *
 * @param options Further ones of `npm start`.
 */
export async function startOwnStack(options: readonly string[] = []): Promise<OwnStack> {
  const token = `lb_demo_${randomBytes(SECRET_BYTES).toString('hex')}`;
  const script = fileURLToPath(new URL('../../local/start.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [script, '--memory', '--no-demo', '--port', '0', '--admin-token', token, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const stop = (): Promise<void> => end(child);
  try {
    return { url: await readyUrl(child), token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readyUrl(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => fail(`not ready after ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS);
    const fail = (why: string): void => {
      clearTimeout(limit);
      reject(new Error(`The server did not start (${why}). It said:\n${said.trim() || '(nothing)'}`));
    };
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const url = READY.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(limit);
      resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(limit);
}
