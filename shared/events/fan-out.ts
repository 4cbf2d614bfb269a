/**
 * Fan-out: from a batch of the table's stream to everybody who follows events. Each event is logged first; the
 * feed, the bus and the webhooks then send the logged text. It calls nothing but the table, the bus and the queue,
 * may run twice over the same batch, and no event holds up another: what fails is named, and the rest is done.
 */
import type { Deps } from '../deps.ts';
import { isProblem } from '../errors.ts';
import { eventId } from '../ids.ts';
import { FAN_OUT_WIDTH } from '../policy.ts';
import type { Store } from '../store/store.ts';
import { inWidth } from '../width.ts';
import { formatEvent, type Surroundings } from './envelope.ts';
import { feedEvents } from './feed-append.ts';
import { FeedWriter } from './feed-pages.ts';
import { eventsOfRecord, type Happened } from './from-record.ts';
import { logEvent, type OutgoingEvent } from './log.ts';
import { EventRetention } from './retention.ts';
import type { FanOutStep, Report } from './step.ts';
import { readSurroundings } from './surroundings.ts';

export interface FanOutParts {
  readonly store: Store;
  readonly deps: Deps;
  /** What follows the log, by name; the feed is always one. They run side by side. */
  readonly steps: Readonly<Record<string, FanOutStep>>;
  readonly report: Report;
}

export interface FannedOut {
  readonly events: number;
  /** Stream numbers of the records that must come again, in the order of the batch. */
  readonly failed: readonly string[];
}

export type FanOut = (records: readonly unknown[]) => Promise<FannedOut>;

/** @throws when nothing could be done at all: the whole batch must come again. */
export function createFanOut(parts: FanOutParts): FanOut {
  const retention = new EventRetention(parts.store, parts.deps);
  const writer = new FeedWriter(parts.store, parts.deps, retention);
  const steps = { feed: feedStep(parts, writer), ...parts.steps };
  return async (records) => {
    const happened = records.flatMap((record) => readable(record, parts.report));
    const { logged, failed } = await logAll(parts, writer, retention, happened);
    const again = await Promise.all(
      Object.entries(steps).map(async ([name, step]) => runStep(name, step, logged, parts.report)),
    );
    const ids = new Set(again.flatMap((step) => [...step]));
    for (const event of logged) if (ids.has(event.id)) failed.add(event.record);
    const inOrder = [...new Set(happened.map(({ record }) => record))].filter((number) => failed.has(number));
    return { events: happened.length, failed: inOrder };
  };
}

/**
 * A record of which not even ids can be read would not be readable the next time either: it is reported, and holds
 * nobody up. The gap in its card's sequence shows in diagnostics.
 */
function readable(record: unknown, report: Report): Happened[] {
  try {
    return eventsOfRecord(record);
  } catch (error) {
    report('unreadable stream record', { reason: reasonOf(error) });
    return [];
  }
}

interface Logged {
  readonly logged: readonly OutgoingEvent[];
  readonly failed: Set<string>;
}

/** When an event could not be logged, those behind it of the same card wait for it: their order is kept. */
async function logAll(
  { store, deps, report }: FanOutParts,
  writer: FeedWriter,
  retention: EventRetention,
  happened: readonly Happened[],
): Promise<Logged> {
  if (happened.length === 0) return { logged: [], failed: new Set() };
  const surroundings = await readSurroundings(store, happened);
  const lastPages = await pagesBefore(writer, happened);
  const outcomes = await inWidth(FAN_OUT_WIDTH, happened, async (event, at) => {
    const text = textOf(event, surroundings[at] ?? {}, report);
    try {
      const keptUntil = deps.now() + (await retention.of(event.boardId));
      return await logEvent(store, event, text, lastPages.get(event.boardId) ?? 0, keptUntil);
    } catch (error) {
      report('event not logged', { event_id: idOf(event), reason: reasonOf(error) }, 'WARN');
      return null;
    }
  });
  const failed = new Set<string>();
  const stuck = new Set<string>();
  const logged = outcomes.filter((outcome, at): outcome is OutgoingEvent => {
    const { subject, record } = happened[at] ?? { subject: '', record: '' };
    if (outcome === null) stuck.add(subject);
    if (stuck.has(subject)) failed.add(record);
    return outcome !== null && !stuck.has(subject);
  });
  return { logged, failed };
}

function textOf(event: Happened, surroundings: Surroundings, report: Report): string {
  return formatEvent(event, surroundings, (error) => {
    report('event goes out as ids and type', { event_id: idOf(event), reason: reasonOf(error) });
  });
}

/** Read before any row is put: an event's page comes behind this one, whoever puts it. */
async function pagesBefore(
  writer: FeedWriter,
  happened: readonly Happened[],
): Promise<ReadonlyMap<string, number>> {
  const boardIds = [...new Set(happened.map(({ boardId }) => boardId))];
  const pages = await inWidth(FAN_OUT_WIDTH, boardIds, async (id) => writer.lastPage(id));
  return new Map(boardIds.map((id, at) => [id, pages[at] ?? 0]));
}

function feedStep({ store, report }: FanOutParts, writer: FeedWriter): FanOutStep {
  return async (events) => {
    const boards = Map.groupBy(events, ({ boardId }) => boardId);
    const again = await inWidth(FAN_OUT_WIDTH, [...boards], async ([boardId, own]) => {
      try {
        await feedEvents(store, writer, boardId, own);
        return [];
      } catch (error) {
        const fields = { board_id: boardId, events: own.length, reason: reasonOf(error) };
        report('events not fed', fields, 'WARN');
        return own.map(({ id }) => id);
      }
    });
    return new Set(again.flat());
  };
}

async function runStep(
  name: string,
  step: FanOutStep,
  events: readonly OutgoingEvent[],
  report: Report,
): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  try {
    return await step(events);
  } catch (error) {
    report('step of the fan-out failed', { step: name, reason: reasonOf(error) }, 'WARN');
    return new Set(events.map(({ id }) => id));
  }
}

/** A name, never a message: messages of parsers repeat what they could not parse. */
function reasonOf(error: unknown): string {
  if (isProblem(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

function idOf({ subject, sequence }: Happened): string {
  return eventId(subject, sequence);
}
