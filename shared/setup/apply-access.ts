/** Who may call, as code: roles of IAM, and the first admin token. */
import type * as z from 'zod';
import { hashSecret } from '../auth/bearer-token.ts';
import { ownToken } from '../auth/own-token.ts';
import { readToken } from '../auth/token-item.ts';
import type { Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { RegisterRoleBody } from '../schemas/tokens.ts';
import { installToken } from '../verbs/install-token.ts';
import { registerRole } from '../verbs/register-role.ts';
import { revokeToken } from '../verbs/revoke-token.ts';
import { iso } from '../views/time.ts';
import { DEPLOYMENT } from './deployment.ts';

export const RoleCode = RegisterRoleBody;
export type RoleCode = z.infer<typeof RoleCode>;

/** @returns `<id>@<when>`: the id that the role is registered under, and this registration of it. */
export async function applyRole(engine: Engine, code: RoleCode): Promise<string> {
  const { id, created_at } = await registerRole(engine, DEPLOYMENT, code);
  return `${id}@${created_at}`;
}

const TOKEN_ID = 'first';

/**
 * One that was revoked stays so: a deployment that sets everything up again must not open what a person has closed.
 *
 * @param secret 32-128 of `[A-Za-z0-9_-]`; the token is `lb_first_` and the secret.
 * @returns the token's id.
 */
export async function applyAdminToken(engine: Engine, secret: string): Promise<string> {
  const there = await readToken(engine, TOKEN_ID);
  const isRevoked = there?.revoked_at !== undefined && there.hash === hashSecret(secret);
  if (!isRevoked)
    await installToken(engine, { token: `lb_${TOKEN_ID}_${secret}`, name: 'first admin', scopes: ['admin'] });
  return `tok_${TOKEN_ID}`;
}

/**
 * One that is gone already is as good as revoked. A role that was registered again since is another resource's by now:
 * in a deployment that renames a grant, the new one comes before the old one goes.
 */
export async function revokeApplied(engine: Engine, name: string): Promise<void> {
  const [id = '', registered] = name.split('@');
  try {
    const token = await ownToken(engine, DEPLOYMENT, id);
    if (registered !== undefined && iso(token.created_at) !== registered) return;
    await revokeToken(engine, DEPLOYMENT, { token_id: id });
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found') throw error;
  }
}
