/** The feed of a board: its events in one order, from a cursor on, nothing skipped. */
import { boardFor } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import type { EventEnvelope } from '../events/envelope.ts';
import {
  makeFeedCursor,
  OLDEST,
  readFeed,
  readFeedBack,
  readFeedCursor,
  type FeedReading,
} from '../events/read-feed.ts';
import { showEntries } from '../events/show-events.ts';
import { WAIT_FIRST_MS, WAIT_GROWTH, WAIT_STEP_MS } from '../policy.ts';
import type { ListEventsQuery } from '../schemas/events.ts';

interface EventPage {
  readonly items: EventEnvelope[];
  /** Never null: more may always come. With the order `newest` that of the request, once nothing older is kept. */
  readonly next_cursor: string;
  /** True when events behind `since` have expired before they were read. */
  readonly expired: boolean;
}

/**
 * From the oldest event kept when there is no `since`, or with the order `newest` back from the newest. With `wait_seconds` it looks again until there is an event,
 * as long as this installation permits. A page may be short, and with `types` empty, while its cursor goes on.
 */
export async function listEvents(
  engine: Engine,
  caller: Caller,
  input: { board: string } & ListEventsQuery,
): Promise<EventPage> {
  const { id } = await boardFor(engine, caller, input.board);
  const reading = await readWithin(engine, id, input);
  return {
    items: await showEntries(engine.store, id, reading.entries),
    next_cursor: makeFeedCursor(id, reading.next, input.order),
    expired: reading.expired,
  };
}

async function readWithin(engine: Engine, boardId: string, input: ListEventsQuery): Promise<FeedReading> {
  const { since, limit, types, order, wait_seconds } = input;
  const wanted = types === undefined ? null : new Set<string>(types);
  const wants = ({ type }: { type: string }): boolean => wanted?.has(type) ?? true;
  if (order === 'newest') {
    const before = since === undefined ? null : readFeedCursor(boardId, since, order);
    return readFeedBack(engine.store, boardId, before, limit, wants);
  }
  const until = engine.deps.now() + Math.min(wait_seconds * 1_000, engine.maxWaitMs);
  let pause = WAIT_FIRST_MS;
  const from = since === undefined ? OLDEST : readFeedCursor(boardId, since);
  let reading = await readFeed(engine.store, boardId, from, limit, wants);
  const { expired } = reading;
  while (reading.entries.length === 0) {
    const left = until - engine.deps.now();
    if (left <= 0) break;
    await engine.deps.sleep(Math.min(pause, left));
    pause = Math.min(WAIT_STEP_MS, pause * WAIT_GROWTH);
    reading = await readFeed(engine.store, boardId, reading.next, limit, wants);
  }
  return { ...reading, expired: expired || reading.expired };
}
