/** Makes the admin token known to the engine, which stores its hash only. Repeating it changes nothing. */
import { createInstance } from '../functions/engine.ts';
import { installToken } from '../shared/verbs/install-token.ts';

/** @param token `lb_<id>_<secret>`; the functions' environment must be set by now. */
export async function installAdminToken(token: string): Promise<void> {
  const { engine } = createInstance(null);
  await installToken(engine, { token, name: 'admin', scopes: ['admin'] });
}
