/**
 * Dedupe keys: at most one open card of a board carries a key. One item per board and key names the card that
 * took it last, put in the transaction that creates or re-opens that card. Closing a card does not touch the
 * item; whoever meets a closed card's takes it over, conditional on that very taking. A card that re-opens takes
 * its key anew, so of a creator and a re-opening at once the second is refused and looks again.
 */
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { readJob } from '../jobs.ts';
import { ABSENT, expression } from '../store/conditions.ts';
import { DedupeSchema, LAYOUT_VERSION, type DedupeItem, type Job } from '../store/items.ts';
import { dedupeKey } from '../store/keys.ts';
import type { Put } from '../store/params.ts';
import type { Draft } from './change.ts';

const TAKE_BYTES = 6;
const CLOSED = new Set<Job['state']>(['done', 'archived', 'deleted']);

/** Open: not done, archived or deleted. A dead card is open, since it may be redriven. */
export const isOpenCard = (job: Job): boolean => !CLOSED.has(job.state);

export interface KeyHolder {
  /** The item as it is; undefined when nobody ever took the key. */
  readonly item: DedupeItem | undefined;
  /** The open card that has the key; null when it is free to take. */
  readonly openCardId: string | null;
}

export async function readKeyHolder(engine: Engine, boardId: string, key: string): Promise<KeyHolder> {
  const found = await engine.store.get(dedupeKey(boardId, key));
  const item = found === undefined ? undefined : DedupeSchema.parse(found);
  const job = item === undefined ? undefined : await readJob(engine, item.card_id);
  return { item, openCardId: job !== undefined && isOpenCard(job) ? job.pk : null };
}

/** The write that takes a key for a card; refused when another took it since the holder was read. */
export function takeKey(
  engine: Engine,
  card: { id: string; boardId: string; key: string },
  holder: KeyHolder,
): Put {
  const { id, boardId, key } = card;
  return {
    kind: 'put',
    item: {
      ...dedupeKey(boardId, key),
      v: LAYOUT_VERSION,
      board_id: boardId,
      card_id: id,
      take: engine.deps.secret(TAKE_BYTES),
    },
    condition: holder.item === undefined ? ABSENT : expression('#take = :c_take', { take: holder.item.take }),
  };
}

/** A closed card that opens takes its key again, or is refused naming the card that has it now. */
export async function keyRetaken(draft: Draft): Promise<Draft> {
  const { engine, job, card, board, before } = draft;
  const key = card.dedupe_key;
  if (key === undefined || isOpenCard(before.job) || !isOpenCard(job)) return draft;
  const holder = await readKeyHolder(engine, board.id, key);
  if (holder.openCardId !== null && holder.openCardId !== job.pk) {
    throw problem(
      'conflict',
      `The card ${holder.openCardId} is open under the same dedupe key. Close that one first, or leave this closed.`,
      { card_id: holder.openCardId },
    );
  }
  const write = takeKey(engine, { id: job.pk, boardId: board.id, key }, holder);
  return { ...draft, also: [...draft.also, write] };
}
