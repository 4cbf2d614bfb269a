/**
 * Register an IAM role: whoever acts in it may call under `/aws`, signed by AWS, with the scopes given here. It is
 * kept among the tokens, listed and revoked like one. Registering it again replaces what was said before.
 */
import { parseRoleArn, roleTokenId, type Role } from '../auth/role.ts';
import type { Caller, Engine } from '../engine.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { RegisterRoleBody } from '../schemas/tokens.ts';
import { LAYOUT_VERSION, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { tokenView, type TokenView } from '../views/token.ts';
import { boardIdFor } from './create-token.ts';

/** `board_id` may be a slug. A caller whose token is for one board registers roles for that board only. */
export async function registerRole(
  engine: Engine,
  caller: Caller,
  input: RegisterRoleBody,
): Promise<TokenView> {
  const role = roleIn(input.role_arn);
  const boardId = await boardIdFor(engine, caller, input);
  const item: TokenItem = {
    ...tokenKey(roleTokenId(role)),
    v: LAYOUT_VERSION,
    name: input.name ?? role.name,
    role_arn: input.role_arn,
    scopes: [...new Set(input.scopes)],
    ...(boardId === null ? {} : { board_id: boardId }),
    ...(input.agent == null ? {} : { agent: input.agent }),
    ...(input.requests_per_minute == null ? {} : { requests_per_minute: input.requests_per_minute }),
    created_at: engine.deps.now(),
  };
  await engine.store.write({ kind: 'put', item });
  return tokenView(item);
}

function roleIn(arn: string): Role {
  const role = parseRoleArn(arn);
  if (role !== null) return role;
  throw refusedInput([{ path: '/role_arn', message: 'must be arn:aws:iam::<account>:role/<name>' }]);
}
