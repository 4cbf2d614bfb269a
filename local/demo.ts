/** The demo board and its fleet, which live in demo/: loaded only when they are wanted. */
import type { ErrorLog } from './http-server.ts';
import type { Stack } from './stack.ts';

/** What `demo/seed.ts` exports. */
type StartDemo = (start: {
  readonly baseUrl: string;
  readonly adminToken: string;
  readonly firstStart: boolean;
}) => Promise<{ stop(): Promise<void> }>;

/** Starts it beside the stack. A demo that fails is logged; what it was to show goes on without it. */
export function startDemo(stack: Stack, logError: ErrorLog): { stop(): Promise<void> } {
  const { url: baseUrl, adminToken, firstStart } = stack;
  const started = loadDemo()
    .then(async (start) => start({ baseUrl, adminToken, firstStart }))
    .catch((error: unknown) => {
      logError('Demo', error);
      return null;
    });
  return {
    stop: async () => {
      await (await started)?.stop();
    },
  };
}

async function loadDemo(): Promise<StartDemo> {
  const module = (await import(new URL('../demo/seed.ts', import.meta.url).href)) as {
    startDemo: StartDemo;
  };
  return module.startDemo;
}
