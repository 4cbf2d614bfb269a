/** What people do to cards from the board: moves with their question about held cards, and single verbs. */
import type { CardSummary, ColumnDetail, Place } from '../../../client/types.ts';
import { announce } from '../state/notices.ts';
import { ask } from '../ui/dialog.tsx';
import type { BoardStore } from './store.ts';

export interface Target {
  readonly column: ColumnDetail;
  /** Cards of that column as they are shown. */
  readonly order: readonly CardSummary[];
  /** Card that it is put beside; null for an end. */
  readonly beside: string | null;
  readonly side: 'before' | 'after' | 'top' | 'bottom';
}

/** Moves a card; asks first where a worker would lose it. */
export async function moveCard(store: BoardStore, card: CardSummary, target: Target): Promise<void> {
  const elsewhere = target.column.id !== card.column_id;
  const forced =
    elsewhere && holds(card) ? await askToRevoke(card, `Moving it to ${target.column.name}`) : {};
  if (forced === null) return;
  const guess = elsewhere
    ? { column_id: target.column.id, state: guessState(target.column, card), lease: null }
    : {};
  const answer = await store.act(
    card.id,
    `${card.key} was not moved`,
    guess,
    async () => store.client.cards.move(card.id, { ...placeOf(target), ...forced }),
    rankOf(store, target),
  );
  if (answer !== null) announce(`${card.key} moved to ${target.column.name}`);
}

function placeOf({ column, beside, side }: Target): Place {
  const column_id = column.id;
  if (beside !== null && side === 'before') return { column_id, before: beside };
  if (beside !== null && side === 'after') return { column_id, after: beside };
  return side === 'top' ? { column_id, top: true } : { column_id, bottom: true };
}

function rankOf(store: BoardStore, { order, beside, side }: Target): number {
  if (side === 'top') return store.rankBeside(order, order[0]?.id ?? null, 'before');
  return store.rankBeside(order, side === 'bottom' ? null : beside, side === 'after' ? 'after' : 'before');
}

function guessState(column: ColumnDetail, card: CardSummary): CardSummary['state'] {
  if (column.role === 'done') return 'done';
  if (!column.queue) return 'idle';
  return card.draft || card.hold || card.counts.parents_open > 0 ? 'waiting' : 'ready';
}

/** A lease that ran out holds nothing: the server ends it without being forced. */
export function holds(card: CardSummary): boolean {
  return card.state === 'leased' && card.lease !== null && !card.lease.expired;
}

/** What has to be sent to take a card from its worker; null when the person would rather not. */
export async function askToRevoke(
  card: CardSummary,
  doing: string,
): Promise<{ force: true; reason: string } | null> {
  const reason = await ask({
    title: `Take ${card.key} from ${card.lease?.agent ?? 'its worker'}?`,
    text: `${card.lease?.agent ?? 'A worker'} is working on it. ${doing} revokes the lease at once; the worker hears of it at its next call, and what it has done since is refused.`,
    confirm: 'Revoke the lease',
    kind: 'danger',
    reason: 'Reason, for the worker and the record',
  });
  return reason === null ? null : { force: true, reason };
}

/** To the end of the column next to its own; keyboard's way of moving. */
export async function shiftColumn(
  store: BoardStore,
  card: CardSummary,
  columns: readonly { column: ColumnDetail; cards: readonly CardSummary[] }[],
  step: 1 | -1,
): Promise<void> {
  const at = columns.findIndex(({ column }) => column.id === card.column_id);
  const next = columns[at + step];
  if (next === undefined) return announce('There is no column on that side');
  await moveCard(store, card, { column: next.column, order: next.cards, beside: null, side: 'bottom' });
}

export async function archive(store: BoardStore, card: CardSummary): Promise<boolean> {
  const forced = holds(card) ? await askToRevoke(card, 'Archiving it') : {};
  if (forced === null) return false;
  const answer = await store.act(
    card.id,
    `${card.key} was not archived`,
    { state: 'archived', lease: null },
    async () => store.client.cards.archive(card.id, forced),
  );
  return answer !== null;
}

export async function redrive(store: BoardStore, card: CardSummary): Promise<void> {
  const answer = await store.act(
    card.id,
    `${card.key} was not redriven`,
    { state: 'ready', attempt: 0 },
    async () => store.client.cards.redrive(card.id),
  );
  if (answer !== null) announce(`${card.key} is back in its queue`);
}
