/**
 * Register an IAM role: whoever acts in it may call under `/aws`, signed by AWS, with the scopes given here. It is
 * kept among the tokens, listed and revoked like one. Registering it again replaces what was said before.
 */
import { parseRoleArn, roleTokenId, type Role } from '../auth/role.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { RegisterRoleBody } from '../schemas/tokens.ts';
import { expression } from '../store/conditions.ts';
import { LAYOUT_VERSION, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { tokenView, type TokenView } from '../views/token.ts';
import { boardIdFor } from './create-token.ts';

/**
 * `board_id` may be a slug. A caller whose token is for one board registers roles for that board only.
 *
 * @throws Problem `conflict` for such a caller when the role is registered for more or for elsewhere: a role has one
 * registration, so to replace that one would shut its workers out of where they belong.
 */
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
  const own = caller.boardId === null ? {} : { condition: onlyFor(caller.boardId) };
  const written = await engine.store.write({ kind: 'put', item, ...own });
  if (written.ok) return tokenView(item);
  throw problem(
    'conflict',
    `The role '${role.name}' is registered already, and not for your board alone. Ask an admin of the installation.`,
  );
}

const onlyFor = (boardId: string) =>
  expression('attribute_not_exists(#pk) OR #board_id = :c_board_id', { board_id: boardId });

function roleIn(arn: string): Role {
  const role = parseRoleArn(arn);
  if (role !== null) return role;
  throw refusedInput([{ path: '/role_arn', message: 'must be arn:aws:iam::<account>:role/<name>' }]);
}
