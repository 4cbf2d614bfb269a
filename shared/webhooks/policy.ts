/** Every number of webhooks: its name, its unit, its reason. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../units.ts';

/** The wait before each attempt: the example of the Standard Webhooks specification, 75 h 35 min in all. */
export const LADDER_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** A wait is spread by this share either way: what failed together must not come back together. */
export const LADDER_JITTER = 0.2;
/** `Retry-After` may push the next attempt out to this many times its wait, no further: else one answer ends it. */
export const RETRY_AFTER_STRETCH = 2;

/** A receiver has this long to answer, connecting included: the upper half of what Standard Webhooks asks for. */
export const SEND_TIMEOUT_MS = 20 * SECOND_MS;
/** After the status only the excerpt is missing: a body that dribbles must not hold the slot. */
export const EXCERPT_TIMEOUT_MS = SECOND_MS;
/** How much of the answer is kept. Bytes. */
export const EXCERPT_BYTES = 1_024;

/** After so many timeouts in a row one send at a time goes out, as a probe; the rest wait for their next time. */
export const TIMEOUTS_TO_PROBE = 3;
/** A chain of sends under one slot begins no further one after this long: the batch waits for its slowest. */
export const CHAIN_MS = 5 * SECOND_MS;
/** A slot that its holder never gave back is free after this: a chain and its last send fit, with room to write. */
export const SLOT_HELD_MS = CHAIN_MS + SEND_TIMEOUT_MS + 10 * SECOND_MS;
/** A batch waits this long for a slot of an endpoint that answers, looking again about as often as given. */
export const SLOT_WAIT_MS = 500;
export const SLOT_POLL_MS = 100;
/**
 * A delivery that finds all slots taken after that comes back later, a little more so each time: a crowd goes within
 * seconds, a receiver that cannot keep up must not be asked for every second by each that waits.
 */
export const CROWDED_FIRST_MS = SECOND_MS;
export const CROWDED_GROWTH = 1.5;
export const CROWDED_MAX_MS = 15 * SECOND_MS;

/**
 * A delivery this long past its time is queued again by the reaper: its message is lost, or waits in a long queue.
 * Longer than a send with its chain.
 */
export const OVERDUE_MS = 30 * SECOND_MS;
/**
 * And again when it is late by twice as much, but after this long: a copy that is lost too is made good soon, and a
 * long queue is not made much longer by its own copies.
 */
export const REQUEUE_PAUSE_MAX_MS = 10 * MINUTE_MS;
/** A run of the reaper spends at most this long on it: its columns get the rest. */
export const REQUEUE_BUDGET_MS = 10 * SECOND_MS;
/** Overdue deliveries that one run of the reaper queues again, per shard and page. */
export const OVERDUE_PAGE = 100;
/** Lanes over which the open deliveries of all webhooks are spread: one index partition takes 1,000 writes/s. */
export const DELIVERY_SHARDS = 8;

/** What the queue itself can wait; longer waits are schedules. SQS's own limit is the same 15 minutes. */
export const QUEUE_DELAY_MAX_MS = 15 * MINUTE_MS;

/** A delivery's row, with its log of attempts. As long as the event that it sends. */
export const DELIVERY_RETENTION_MS = 30 * DAY_MS;
/** Attempts that a row keeps: the ladder's ten and as many by hand; the oldest go. */
export const ATTEMPTS_KEPT = 20;

/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
/** With fewer failures than this it is not: two events a week say little. */
export const DISABLE_FAILURES = 10;
/** An endpoint that has only failed for this long is reported as failing, if no exhausted delivery did so before. */
export const FAILING_AFTER_MS = DAY_MS;

/** Rows of one fan-out batch that are put side by side. */
export const ROWS_WIDTH = 16;

/** A rotated secret goes on signing beside the new one for this long, if nothing else is asked. Seconds. */
export const GRACE_DEFAULT_SECONDS = 86_400;
export const GRACE_MAX_SECONDS = 604_800;

/** Webhooks of a board: each is looked at for each of its events. */
export const WEBHOOKS_PER_BOARD = 100;
export const URL_BYTES = 2_048;

/** A test waits this long for its delivery to be sent before it is answered as pending. */
export const TEST_WAIT_MS = 8 * SECOND_MS;
export const TEST_POLL_MS = 100;

/** A recovery goes through the feed this long, then passes its place on through the queue. */
export const RECOVER_STEP_MS = 10 * SECOND_MS;
