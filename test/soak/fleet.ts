/** The soak's workers as processes: started, killed with -9, and replaced. */
import { spawn, type ChildProcess } from 'node:child_process';

const SCRIPT = new URL('worker.ts', import.meta.url).pathname;

export class SoakFleet {
  kills = 0;
  readonly #args: readonly string[];
  readonly #running: ChildProcess[] = [];
  #started = 0;

  /** @param args Of a worker, but for its name. */
  constructor(args: readonly string[], count: number) {
    this.#args = args;
    for (let at = 0; at < count; at += 1) this.#running.push(this.#start());
  }

  /** Kills one; another takes its place. */
  killOne(at: number): void {
    const victim = this.#running[at % this.#running.length];
    victim?.kill('SIGKILL');
    this.#running[at % this.#running.length] = this.#start();
    this.kills += 1;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#running.map(async (child) => {
        const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
        child.kill('SIGKILL');
        await ended;
      }),
    );
  }

  #start(): ChildProcess {
    this.#started += 1;
    return spawn(process.execPath, [SCRIPT, ...this.#args, `soak-${this.#started}`], { stdio: 'inherit' });
  }
}
