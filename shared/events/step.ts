/** A step of the fan-out: what becomes of events once they are in the log. */
import type { OutgoingEvent } from './log.ts';

/**
 * Takes the events of one batch, in the order of each card, and answers the ids of those that must come again. It
 * may get an event a second time, and does not throw for one event when it could do the others.
 */
export type FanOutStep = (events: readonly OutgoingEvent[]) => Promise<ReadonlySet<string>>;

/**
 * Told of what went wrong with which ids; never of a content. `WARN` is what will be tried again, and `ERROR`, the
 * default, what will not.
 */
export type Report = (
  message: string,
  fields: Readonly<Record<string, unknown>>,
  level?: 'WARN' | 'ERROR',
) => void;
