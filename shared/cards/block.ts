/** What people do about a card that cannot go on: stopping it, and letting it go on. */
import { stopped } from '../blocks/block.ts';
import { columnsOf, findColumn, type Column } from '../columns.ts';
import { problem } from '../errors.ts';
import { leaseNote, mustAllow, note } from '../jobs.ts';
import { entering } from '../model/hold.ts';
import type { BlockCardBody } from '../schemas/blocks.ts';
import type { Job } from '../store/items.ts';
import { columnOfDraft, type Draft, type Step } from './change.ts';
import { closePersonRun } from './person-run.ts';
import { checkedInput } from './stand.ts';

/**
 * Blocks the card, whoever has it: a person may stop work at any time, and the worker is told at its next call.
 * Under the same block already, nothing changes.
 */
export function blocked({ kind = null, reason }: BlockCardBody): Step {
  return async (draft) => {
    const { engine, board, by, before, now } = draft;
    if (isSame(draft, kind, reason)) return draft;
    const held = draft.job.state === 'leased';
    mustAllow(held ? 'block_held' : 'block_card', draft.job);
    const column = await stageColumn(draft);
    const { draft: free, noted } = closePersonRun(draft, {
      outcome: 'blocked',
      verb: held ? 'block_held' : 'block_card',
      error: reason,
    });
    const { job, card } = free;
    const end = await stopped({ engine, board, column, job, card, kind, reason, by: by.id, now });
    const revoked = held
      ? [note('card.lease.revoked', by, before.job, { ...leaseNote(before.job), reason })]
      : [];
    return {
      ...free,
      job: end.job,
      card: end.card,
      op: free.op === 'reclaim' ? free.op : held ? 'block_held' : 'block_card',
      events: [
        ...free.events,
        ...revoked,
        ...end.events.map((type) => note(type, by, before.job, { ...noted, reason })),
      ],
      edited: true,
    };
  };
}

function isSame({ job, card }: Draft, kind: BlockCardBody['kind'], reason: string): boolean {
  if (job.state !== 'blocked' || job.block === undefined) return false;
  const known = job.block.long === true ? card.block_reason : job.block.reason;
  return job.block.kind === kind && known === reason;
}

/**
 * Back to the column that it was blocked in, at the bottom, its attempts begun anew; there it waits on whatever
 * it waits on. Not blocked, nothing changes: it is never refused.
 */
export function unblocked(reason?: string): Step {
  return async (draft) => {
    if (draft.job.state !== 'blocked') return draft;
    const { engine, by, before, now } = draft;
    const column = await stageColumn(draft);
    const { block_reason: _reason, ...content } = draft.card;
    const { job, card } = checkedInput(draft.job, content, column);
    const entered: Job = { ...entering(job, column, now, () => engine.deps.random()), attempt: 0 };
    const why = reason === undefined ? {} : { reason };
    const events = [...draft.events, note('card.unblocked', by, before.job, why)];
    if (entered.state === 'ready') events.push(note('card.ready', by, before.job));
    const op = draft.op === 'edit' ? 'unblock' : draft.op;
    return { ...draft, job: entered, card, op, events, edited: true };
  };
}

/**
 * The column whose stage the card is in: a blocked or dead one lies elsewhere meanwhile. When that column is gone,
 * the board's first to do work in.
 */
export async function stageColumn(draft: Draft): Promise<Column> {
  const { engine, board, job } = draft;
  const away = job.state === 'blocked' ? job.block?.from : job.state === 'dead' ? job.died_in : undefined;
  const source = away === undefined ? await columnOfDraft(draft) : await findColumn(engine, away);
  if (source !== undefined && source.item.closing_at === undefined) return source;
  const columns = await columnsOf(engine, board);
  const found = columns.find(({ role }) => role === 'todo') ?? columns[0];
  if (found !== undefined) return found;
  throw problem('conflict', 'The board has no column left for the card. Make one first.');
}
