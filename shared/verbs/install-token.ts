/**
 * Make a token known that was chosen outside: by `npm start`, or by whoever deploys and holds the table. It is
 * not reachable over HTTP, so it may replace the secret of an earlier token of the same id.
 */
import { hashSecret, parseToken } from '../auth/bearer-token.ts';
import type { Engine } from '../engine.ts';
import type { Scope } from '../model/states.ts';
import { LAYOUT_VERSION, TokenSchema, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';

export interface InstalledToken {
  /** `lb_<id>_<secret>` */
  readonly token: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/**
 * Repeating it changes nothing.
 * @throws RangeError for a text that is no token, without showing it.
 */
export async function installToken(engine: Engine, input: InstalledToken): Promise<void> {
  const parts = parseToken(input.token);
  if (parts === null) throw new RangeError('The token to install must have the form lb_<id>_<secret>');
  const key = tokenKey(parts.id);
  const stored = await engine.store.get(key);
  const before = stored === undefined ? undefined : TokenSchema.parse(stored);
  const item: TokenItem = {
    ...key,
    v: LAYOUT_VERSION,
    name: input.name,
    hash: hashSecret(parts.secret),
    scopes: [...input.scopes],
    created_at: before?.created_at ?? engine.deps.now(),
  };
  if (before !== undefined && isEqual(before, item)) return;
  await engine.store.write({ kind: 'put', item });
}

function isEqual(before: TokenItem, item: TokenItem): boolean {
  const asInstalled =
    before.board_id === undefined && before.agent === undefined && before.expires_at === undefined;
  return (
    asInstalled &&
    before.revoked_at === undefined &&
    before.hash === item.hash &&
    before.name === item.name &&
    before.scopes.join() === item.scopes.join()
  );
}
