/** The tokens that are not revoked: of all boards, or of the one that the caller's token is for. No secret. */
import * as z from 'zod';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { PAGE_MAX } from '../policy.ts';
import type { ListTokensQuery } from '../schemas/tokens.ts';
import { TokenSchema, type TokenItem } from '../store/items.ts';
import { tokenKey, TOKENS_PK } from '../store/keys.ts';
import { tokenView, type TokenView } from '../views/token.ts';

const LIST = 'tokens';
const Position = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

interface TokenPage {
  readonly items: TokenView[];
  readonly next_cursor: string | null;
}

export async function listTokens(engine: Engine, caller: Caller, input: ListTokensQuery): Promise<TokenPage> {
  const after = input.cursor === undefined ? undefined : readListCursor(engine, LIST, input.cursor, Position);
  const found: TokenItem[] = [];
  for await (const token of tokensAfter(engine, after)) {
    const isOwn = caller.boardId === null || token.board_id === caller.boardId;
    if (token.revoked_at !== undefined || !isOwn) continue;
    // One more than asked tells that there is a next page.
    if (found.push(token) > input.limit) break;
  }
  const page = found.slice(0, input.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    items: page.map(tokenView),
    next_cursor: last === undefined ? null : makeListCursor(engine, LIST, last.sk),
  };
}

async function* tokensAfter(engine: Engine, after: string | undefined): AsyncGenerator<TokenItem> {
  const start = after === undefined ? undefined : { ...tokenKey(after) };
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: TOKENS_PK },
    limit: PAGE_MAX,
    consistent: true,
    ...(start === undefined ? {} : { start }),
  })) {
    yield* items.map((item) => TokenSchema.parse(item));
  }
}
