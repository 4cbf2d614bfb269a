/**
 * Callers that AWS has identified: whoever acts in an IAM role that an admin has registered. The gateway checked the
 * signature; no secret of ours is involved, so a fleet of Lambda functions holds none.
 */
import { createHash } from 'node:crypto';
import type { Cache } from '../cache.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { TokenItem } from '../store/items.ts';
import { callerOf, hasEnded, noteUse, readToken, type Beside } from './token-item.ts';

/** A role by its account and name: a session's ARN does not tell the role's path, and names are unique without it. */
export interface Role {
  readonly account: string;
  readonly name: string;
}

const ROLE = /^arn:[a-z-]+:iam::(\d{12}):role\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]{1,64})$/;
const SESSION = /^arn:[a-z-]+:sts::(\d{12}):assumed-role\/([\w+=,.@-]{1,64})\/[\w+=,.@-]{1,64}$/;
/** Hexadecimal digits of the hash: 160 bits, within what the id of a token may be long. */
const ID_DIGITS = 40;

/** The role of an ARN `arn:aws:iam::<account>:role/<name>`; null for any other text. */
export function parseRoleArn(arn: string): Role | null {
  return roleOf(ROLE.exec(arn));
}

/** The role that a caller acts in, by the ARN that IAM knows the caller by; null for users and all else. */
export function parseSessionArn(arn: string): Role | null {
  return roleOf(SESSION.exec(arn));
}

function roleOf(match: RegExpExecArray | null): Role | null {
  const [, account, name] = match ?? [];
  return account === undefined || name === undefined ? null : { account, name };
}

/** Under which id a role is registered among the tokens. No token that is made has such an id. */
export function roleTokenId({ account, name }: Role): string {
  const digest = createHash('sha256').update(`${account}/${name}`).digest('hex');
  return `role${digest.slice(0, ID_DIGITS)}`;
}

/**
 * @param sessionArn As the gateway's IAM authorizer tells it.
 * @throws Problem `unauthenticated` when nobody has registered the role.
 */
export async function authenticateRole(
  engine: Engine,
  tokens: Cache<TokenItem>,
  sessionArn: string,
  beside: Beside,
): Promise<Caller> {
  const role = parseSessionArn(sessionArn);
  if (role === null) {
    throw problem(
      'unauthenticated',
      'Under /aws sign as an IAM role: users and root accounts have no access.',
    );
  }
  const id = roleTokenId(role);
  const token = await tokens.get(id, async () => readToken(engine, id));
  if (token?.role_arn === undefined || hasEnded(token, engine.deps.now())) {
    throw problem(
      'unauthenticated',
      `The role '${role.name}' of the account ${role.account} is not registered here, or no longer. An admin registers it: POST /v1/roles.`,
    );
  }
  noteUse(engine, token, beside);
  return callerOf(token);
}
