/** A worker in a process of its own. It vanishes by kill -9, with all the cards that it holds. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Assignment, Desk, Member, Told } from './member.ts';

/** What the worker's process says. */
export type FromWorker =
  | { readonly say: 'claimed'; readonly leaseId: string }
  | { readonly say: 'happened'; readonly told: Told };

/** What it is told. The token goes this way, and not by arguments that every process list shows. */
export type ToWorker =
  | { readonly say: 'start'; readonly assignment: Assignment }
  | { readonly say: 'go on'; readonly leaseId: string }
  | { readonly say: 'stop' };

/** A worker that does not end by itself within this is ended. */
const STOP_LIMIT_MS = 10_000;

export function processMember(assignment: Assignment, desk: Desk): Member {
  const child = fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), { stdio: 'inherit' });
  let ending = false;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve();
      if (!ending)
        desk.broke(new Error(`The process of ${assignment.agent} ended by itself (${signal ?? code})`));
    });
  });
  const say = (message: ToWorker): void => {
    if (child.connected) child.send(message);
  };
  child.on('message', (message: FromWorker) => {
    if (ending && message.say === 'claimed') return;
    if (message.say === 'happened') desk.happened(message.told);
    else if (desk.claimed() === 'work') say({ say: 'go on', leaseId: message.leaseId });
    else {
      ending = true;
      child.kill('SIGKILL');
      void exited.then(desk.died);
    }
  });
  say({ say: 'start', assignment });
  return {
    stop: async () => {
      ending = true;
      say({ say: 'stop' });
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(limit);
    },
  };
}
