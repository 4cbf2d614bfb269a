/** Who may call, as code: roles of IAM, and the first admin token. */
import type * as z from 'zod';
import type { Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { RegisterRoleBody } from '../schemas/tokens.ts';
import { installToken } from '../verbs/install-token.ts';
import { registerRole } from '../verbs/register-role.ts';
import { revokeToken } from '../verbs/revoke-token.ts';
import { DEPLOYMENT } from './deployment.ts';

export const RoleCode = RegisterRoleBody;
export type RoleCode = z.infer<typeof RoleCode>;

/** @returns the id that the role is registered under. */
export async function applyRole(engine: Engine, code: RoleCode): Promise<string> {
  return (await registerRole(engine, DEPLOYMENT, code)).id;
}

const TOKEN_ID = 'first';

/**
 * @param secret 32-128 of `[A-Za-z0-9_-]`; the token is `lb_first_` and the secret.
 * @returns the token's id.
 */
export async function applyAdminToken(engine: Engine, secret: string): Promise<string> {
  await installToken(engine, { token: `lb_${TOKEN_ID}_${secret}`, name: 'first admin', scopes: ['admin'] });
  return `tok_${TOKEN_ID}`;
}

/** One that is gone already is as good as revoked. */
export async function revokeApplied(engine: Engine, id: string): Promise<void> {
  try {
    await revokeToken(engine, DEPLOYMENT, { token_id: id });
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found') throw error;
  }
}
