/** A new secret for a token; everything else about it stays. The old secret opens for the grace period still. */
import { hashSecret } from '../auth/bearer-token.ts';
import { ownToken } from '../auth/own-token.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { RotateTokenBody } from '../schemas/tokens.ts';
import { expression } from '../store/conditions.ts';
import { tokenKey } from '../store/keys.ts';
import { tokenView } from '../views/token.ts';
import { SECRET_BYTES, type CreatedToken } from './create-token.ts';
import { SECOND_MS } from '../units.ts';

/** @throws Problem `conflict` for a token that is revoked, a registered role, or rotated by another just now. */
export async function rotateToken(
  engine: Engine,
  caller: Caller,
  input: RotateTokenBody & { readonly token_id: string },
): Promise<CreatedToken> {
  const token = await ownToken(engine, caller, input.token_id);
  const { hash } = token;
  if (token.revoked_at !== undefined) throw problem('conflict', 'The token is revoked. Create another.');
  if (hash === undefined) throw problem('conflict', 'A role has no secret: AWS rotates what it signs with.');
  const secret = engine.deps.secret(SECRET_BYTES);
  const until = engine.deps.now() + input.grace_seconds * SECOND_MS;
  const rotated = { hash: hashSecret(secret), previous: { hash, until } };
  const written = await engine.store.write({
    kind: 'update',
    key: tokenKey(token.sk),
    set: rotated,
    remove: [],
    condition: expression('#hash = :c_hash', { hash }),
  });
  if (!written.ok)
    throw problem('conflict', 'Another rotated this token just now. Look before you rotate again.');
  return { ...tokenView(token), token: `lb_${token.sk}_${secret}` };
}
