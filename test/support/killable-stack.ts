/** The whole local stack as processes of its own, which can be killed as a power cut would. */
import { spawn } from 'node:child_process';
import { waitUntil } from '../../local/wait-until.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** Some seconds when the machine is free, beside other tests a minute. */
const START_LIMIT_MS = 120_000;

export const STACK_TOKEN = `lb_test_${'s'.repeat(32)}`;

export interface KillableStack {
  readonly url: string;
  /** Ends every process of it at once: kill -9, database and all. */
  readonly kill: () => Promise<void>;
}

/** @param options Of `npm start`, beside the port, the token and that there is no demo. */
export async function startKillableStack(port: number, options: readonly string[]): Promise<KillableStack> {
  const args = [
    'local/start.ts',
    '--port',
    String(port),
    '--admin-token',
    STACK_TOKEN,
    '--no-demo',
    ...options,
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = child.pid ?? 0;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const kill = async () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
    await ended;
  };
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-10_000)));
  try {
    await waitUntil('the stack to be ready', START_LIMIT_MS, () => output.includes('ready at'));
  } catch (error) {
    await kill();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, kill };
}
