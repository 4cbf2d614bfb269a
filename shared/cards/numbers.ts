/** Numbers behind keys like `BUG-12`: taken before the create and outside its transaction, so gaps happen. */
import type { Board } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { numberKey } from '../store/keys.ts';

/** Takes `count` numbers of the board in one write; answers the first. No number is given twice. */
export async function takeNumbers(engine: Engine, board: Board, count: number): Promise<number> {
  const written = await engine.store.write({
    kind: 'update',
    key: numberKey(board.id),
    set: { v: LAYOUT_VERSION },
    remove: [],
    tally: { number: count },
  });
  const last = written.ok ? written.item?.['number'] : undefined;
  if (typeof last !== 'number') throw new Error(`The number item of board ${board.id} holds no number`);
  return last - count + 1;
}

export const cardKeyText = (board: Board, number: number): string => `${board.item.key_prefix}-${number}`;
