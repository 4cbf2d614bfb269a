/** The demo board and its fleet, which live in demo/: loaded only when they are wanted. */
import type { ErrorLog } from './http-server.ts';
import type { Stack } from './stack.ts';

/** Starts it beside the stack. A demo that fails is logged; what it was to show goes on without it. */
export function startDemo(stack: Stack, logError: ErrorLog): { readonly stop: () => Promise<void> } {
  const { url: baseUrl, adminToken, firstStart } = stack;
  const started = import('../demo/seed.ts')
    .then(async (demo) => demo.startDemo({ baseUrl, adminToken, firstStart }))
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
