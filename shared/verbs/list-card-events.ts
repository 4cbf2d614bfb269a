/** The events of one card, the oldest first unless the newest are wanted first. */
import * as z from 'zod';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import type { EventEnvelope } from '../events/envelope.ts';
import { eventOfRow } from '../events/show-events.ts';
import { findJob } from '../cards/read.ts';
import type { ListCardEventsQuery } from '../schemas/events.ts';
import { EVENT_PREFIX, eventKey } from '../store/keys.ts';

const Sequence = z.int().min(1);

interface CardEventPage {
  readonly items: EventEnvelope[];
  readonly next_cursor: string | null;
}

export async function listCardEvents(
  engine: Engine,
  caller: Caller,
  input: { card: string } & ListCardEventsQuery,
): Promise<CardEventPage> {
  const job = await findJob(engine, caller, input.card);
  const reverse = input.order === 'newest';
  const list = reverse ? `events newest ${job.pk}` : `events ${job.pk}`;
  const after = input.cursor === undefined ? undefined : readListCursor(engine, list, input.cursor, Sequence);
  const page = await engine.store.query({
    pk: { name: 'pk', value: job.pk },
    sk: { name: 'sk', prefix: EVENT_PREFIX },
    // One more than asked tells that there is a next page.
    limit: input.limit + 1,
    consistent: true,
    reverse,
    ...(after === undefined ? {} : { start: { ...eventKey(job.pk, after) } }),
  });
  const items = page.items.slice(0, input.limit).map(eventOfRow);
  const last = page.items.length > items.length ? items.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : makeListCursor(engine, list, last.sequence) };
}
