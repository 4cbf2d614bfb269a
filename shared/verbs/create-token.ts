/** Create an API token. It is in this answer and nowhere else: the table keeps a hash of its secret. */
import { ulid } from 'ulid';
import { hashSecret } from '../auth/bearer-token.ts';
import { boardFor } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { CreateTokenBody } from '../schemas/tokens.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { tokenView, type TokenView } from '../views/token.ts';

/** As much chance as the hash that is kept of it. */
export const SECRET_BYTES = 32;

export type CreatedToken = TokenView & { readonly token: string };

/** `board_id` may be a slug. A caller whose token is for one board makes tokens for that board only. */
export async function createToken(
  engine: Engine,
  caller: Caller,
  input: CreateTokenBody,
): Promise<CreatedToken> {
  const now = engine.deps.now();
  const boardId = await boardIdFor(engine, caller, input);
  const expiresAt = expiryOf(input, now);
  const id = ulid(now, () => engine.deps.random());
  const secret = engine.deps.secret(SECRET_BYTES);
  const item: TokenItem = {
    ...tokenKey(id),
    v: LAYOUT_VERSION,
    name: input.name,
    hash: hashSecret(secret),
    scopes: [...new Set(input.scopes)],
    ...(boardId === null ? {} : { board_id: boardId }),
    ...(input.agent == null ? {} : { agent: input.agent }),
    ...(expiresAt === null ? {} : { expires_at: expiresAt }),
    ...(input.requests_per_minute == null ? {} : { requests_per_minute: input.requests_per_minute }),
    created_at: now,
  };
  const written = await engine.store.write({ kind: 'put', item, condition: ABSENT });
  if (!written.ok) throw problem('conflict', 'A token of this id exists already. Try again.');
  return { ...tokenView(item), token: `lb_${id}_${secret}` };
}

/** The board that a new token is for; null for all. A caller for one board makes tokens for that board only. */
export async function boardIdFor(
  engine: Engine,
  caller: Caller,
  input: Pick<CreateTokenBody, 'board_id'>,
): Promise<string | null> {
  if (input.board_id != null) return (await boardFor(engine, caller, input.board_id)).id;
  if (caller.boardId === null) return null;
  throw problem('forbidden', `This token is for one board. Name it: \`board_id\` '${caller.boardId}'.`);
}

function expiryOf(input: CreateTokenBody, now: number): number | null {
  if (input.expires_at == null) return null;
  const expiresAt = Date.parse(input.expires_at);
  if (expiresAt > now) return expiresAt;
  throw problem('validation_failed', "'/expires_at' must lie in the future.", {
    errors: [{ path: '/expires_at', message: 'must lie in the future' }],
  });
}
