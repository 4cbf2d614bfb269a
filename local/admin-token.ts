/** The token of `npm start`: given, kept from the last start, or new. Only its hash goes into the table. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseToken } from '../shared/auth/bearer-token.ts';
import { keepPrivately } from './private-file.ts';
import { UserError } from './user-error.ts';

const SECRET_BYTES = 32;

export function isAdminToken(text: string): boolean {
  return parseToken(text) !== null;
}

/**
 * @param given From the command line; it is not kept, and what was kept stays.
 * @param directory null keeps nothing: the token is new at every start.
 * @throws UserError when the kept one is no token.
 */
export async function adminToken(given: string | null, directory: string | null): Promise<string> {
  if (given !== null) return given;
  if (directory === null) return newAdminToken();
  const file = join(directory, 'admin-token');
  const kept = (await keepPrivately(file, () => `${newAdminToken()}\n`)).trim();
  if (!isAdminToken(kept)) throw new UserError(`${file} holds no token. Remove it, and a new one is made.`);
  return kept;
}

function newAdminToken(): string {
  return `lb_admin_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
