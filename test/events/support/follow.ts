/** The fan-out over the real stream of a world's table, step by step, as the mapping of the manifest feeds it. */
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { matchesPattern } from '../../../local/event-pattern.ts';
import type { StreamRecord } from '../../../local/shard-reader.ts';
import { lambdaRecord } from '../../../local/stream-delivery.ts';
import type { EventEnvelope } from '../../../shared/events/envelope.ts';
import { createFanOut, type FanOut, type FannedOut } from '../../../shared/events/fan-out.ts';
import type { OutgoingEvent } from '../../../shared/events/log.ts';
import type { FanOutStep } from '../../../shared/events/step.ts';
import type { Engine } from '../../../shared/engine.ts';
import { listEvents } from '../../../shared/verbs/list-events.ts';
import { StreamTail } from '../../support/stream.ts';
import type { World } from '../../support/world.ts';

const { filters, batchSize } = FUNCTIONS.fanout.stream;

export interface Follower {
  /** A fan-out as an instance of the function has it. */
  readonly fanOut: FanOut;
  /** Takes what the stream has now through the filters and the fan-out, batch by batch. */
  readonly pump: () => Promise<FannedOut[]>;
  /** The records that `pump` would take, in Lambda's form. */
  readonly records: () => Promise<unknown[]>;
  /** What was handed on, in order: one entry each time. */
  readonly sent: OutgoingEvent[];
  readonly reported: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

export interface FollowOptions {
  readonly engine?: Engine;
  /** Instead of one that takes note of everything and refuses nothing. */
  readonly step?: FanOutStep;
}

/** From now on: what was in the stream before is passed by. */
export async function follow(world: World, options: FollowOptions = {}): Promise<Follower> {
  const { store, deps } = options.engine ?? world.main;
  const sent: OutgoingEvent[] = [];
  const reported: Follower['reported'] = [];
  const note: FanOutStep = async (events) => {
    sent.push(...events);
    return new Set();
  };
  const fanOut = createFanOut({
    store,
    deps,
    steps: { outside: options.step ?? note },
    report: (message, fields) => reported.push({ message, fields }),
  });
  const tail = await StreamTail.of(world.table);
  await tail.read();
  const records = async () => (await tail.read()).filter(isWanted).map(asLambda);
  const pump = async () => {
    const outcomes: FannedOut[] = [];
    const wanted = await records();
    for (let at = 0; at < wanted.length; at += batchSize)
      outcomes.push(await fanOut(wanted.slice(at, at + batchSize)));
    return outcomes;
  };
  return { fanOut, pump, records, sent, reported };
}

function isWanted({ dynamodb }: StreamRecord): boolean {
  return filters.some((filter) => matchesPattern(filter, { dynamodb }));
}

function asLambda(record: StreamRecord): unknown {
  return lambdaRecord(record, 'arn:aws:dynamodb:us-east-1:000000000000:table/test/stream/test');
}

/** Every event of a board's feed, page after page. */
export async function wholeFeed(world: World, board: string, limit = 100): Promise<EventEnvelope[]> {
  const events: EventEnvelope[] = [];
  let since: string | undefined;
  for (;;) {
    const page = await listEvents(world.main, world.admin, { board, limit, wait_seconds: 0, since });
    if (page.items.length === 0) return events;
    events.push(...page.items);
    since = page.next_cursor;
  }
}

export const typesOf = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type);
