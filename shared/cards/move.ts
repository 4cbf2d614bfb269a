/** Moving a card, within its column or to another. */
import type { Column } from '../columns.ts';
import { problem } from '../errors.ts';
import type { EventType } from '../events/types.ts';
import { mustAllow, note } from '../jobs.ts';
import { targetColumn } from '../columns.ts';
import type { Op } from '../lifecycle.ts';
import { entering } from '../model/hold.ts';
import { settle } from '../model/settle.ts';
import type { EventNote } from '../store/items.ts';
import type { Draft, Step } from './change.ts';
import { keyRetaken } from './dedupe.ts';
import { freed, type Force } from './free.ts';
import { findSpot, isChosen, type Spot, type Where } from './place.ts';
import { checkedInput, standing } from './stand.ts';

export interface Move extends Where, Force {
  readonly column_id?: string | undefined;
}

export function moved(move: Move): Step {
  return async (draft) => {
    const { engine, board, job } = draft;
    if (job.state === 'archived') mustAllow('move', job);
    const column = await targetColumn(engine, board.id, move.column_id ?? job.column_id);
    if (isChosen(move) && column.contract.aging_seconds !== null) {
      throw problem(
        'conflict',
        `The cards of '${column.item.name}' age: they go by waiting time and priority, and cannot be put in an order. Move to the bottom.`,
      );
    }
    const spot = await findSpot(engine, job, column, move);
    if (column.column_id === job.column_id) return reordered(draft, spot);
    return relocated(draft, column, spot, move);
  };
}

/** Within the column a card keeps its state, its attempts and its holder. */
async function reordered(draft: Draft, spot: Spot): Promise<Draft> {
  const job = { ...draft.job, ...spot };
  const op: Op = job.state === 'leased' ? 'edit' : 'move';
  return standing({
    ...draft,
    job,
    op,
    events: [...draft.events, ...placeEvents(draft, spot, 'card.moved')],
    edited: true,
  });
}

/** Into another column its stage begins anew; from `done` to anywhere else it is open again. */
async function relocated(draft: Draft, column: Column, spot: Spot, force: Force): Promise<Draft> {
  const { engine, now } = draft;
  const free = freed(draft, 'moved', force);
  const { job, card } = checkedInput(free.job, free.card, column);
  const entered = entering({ ...job, from_column_id: draft.job.column_id }, column, now, () =>
    engine.deps.random(),
  );
  const placed = settle({ ...entered, ...spot }, column, now);
  const opens = draft.job.state === 'done' && placed.state !== 'done';
  const events = placeEvents(draft, spot, opens ? 'card.reopened' : 'card.moved');
  return keyRetaken({
    ...free,
    job: placed,
    card,
    op: free.op === 'reclaim' ? 'reclaim' : opens ? 'reopen' : 'move',
    events: [...free.events, ...events],
    edited: true,
  });
}

function placeEvents(draft: Draft, spot: Spot, type: EventType): EventNote[] {
  const { by, before, job } = draft;
  const types: EventType[] = spot.priority === job.priority ? [type] : [type, 'card.reprioritized'];
  return types.map((name) => note(name, by, before.job));
}
