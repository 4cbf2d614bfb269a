/** The tokens and roles of a board that is deleted for good: they would open nothing, and tell who worked on it. */
import type { Engine } from '../engine.ts';
import { TokenSchema } from '../store/items.ts';
import { tokenKey, TOKENS_PK } from '../store/keys.ts';

export async function removeTokens(engine: Engine, boardId: string): Promise<void> {
  const tokens = engine.store.pages({ pk: { name: 'pk', value: TOKENS_PK }, consistent: true });
  for await (const items of tokens) {
    const own = items.map((item) => TokenSchema.parse(item)).filter(({ board_id }) => board_id === boardId);
    for (const { sk } of own) await engine.store.write({ kind: 'delete', key: tokenKey(sk) });
  }
}
