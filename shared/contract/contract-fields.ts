/**
 * The fields of a column's contract, their bounds, and what they are when left out. Names and values are the HTTP
 * contract's, so what GET answers can be PUT back as it is. Whether its schemas are any is not decided here.
 */
import * as z from 'zod';
import { isStorable, LEAST_FRACTION } from '../schemas/numbers.ts';

export interface ContractSettings {
  /** Makes the column a queue. */
  readonly enabled: boolean;
  readonly lease_ttl_seconds: number;
  readonly max_attempts: number;
  /** Wait after the first, second, ... failed attempt; the last repeats. */
  readonly backoff_seconds: readonly number[];
  /** Share of a wait that chance may add to it. */
  readonly backoff_jitter: number;
  /** Cap on one lease's whole life, renewals included. */
  readonly max_runtime_seconds: number | null;
  /** Live leases that the column may have at once. */
  readonly concurrency_limit: number | null;
  readonly on_success_column_id: string | null;
  readonly on_failure_column_id: string | null;
  /** JSON Schema for a card's `properties`, or null: one that `checkSchema` accepts. */
  readonly input_schema: unknown;
  /** JSON Schema for the `output` of a completion, or null: one that `checkSchema` accepts. */
  readonly output_schema: unknown;
  /** Nobody may claim a card whose previous stage they did themselves. */
  readonly exclude_previous_holder: boolean;
  /** A card blocked this often for the same kind of reason goes to triage. */
  readonly block_recurrence_limit: number;
  /** After a request for changes, only the implementer is offered the card for this long. */
  readonly changes_reserved_seconds: number;
  /** Waiting this long is worth one step of priority. */
  readonly aging_seconds: number | null;
  /** Live leases that one assignee may have at once. */
  readonly max_per_assignee: number | null;
  /** Index partitions that the column's lanes are spread over. */
  readonly shards: number;
  /** Measured by itself, besides all queues together: each of its metrics has a price. */
  readonly metrics: boolean;
}

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

const THIRTY_DAYS_SECONDS = 2_592_000;

export const CONTRACT_BOUNDS = {
  /** Seconds. Under 5 a lease ends between two heartbeats over a slow line; over 12 hours nobody notices a crash. */
  lease_ttl_seconds: { least: 5, most: 43_200 },
  max_attempts: { least: 1, most: 100 },
  /** Number of waits. */
  backoff_steps: { least: 1, most: 20 },
  /** Seconds of one wait, at most a week. */
  backoff_seconds: { least: 0, most: 604_800 },
  backoff_jitter: { least: 0, most: 1 },
  max_runtime_seconds: { least: 1, most: THIRTY_DAYS_SECONDS },
  /** A full set of slots is read whole: 1,000 are 13 read units. */
  concurrency_limit: { least: 1, most: 1_000 },
  block_recurrence_limit: { least: 1, most: 20 },
  changes_reserved_seconds: { least: 0, most: THIRTY_DAYS_SECONDS },
  aging_seconds: { least: 1, most: THIRTY_DAYS_SECONDS },
  /** Slots too. */
  max_per_assignee: { least: 1, most: 1_000 },
  shards: { least: 1, most: 64 },
} as const satisfies Record<string, Bounds>;

/** What a column has that no one has given a contract, and what a PUT means by leaving a field out. */
export const DEFAULT_CONTRACT: ContractSettings = {
  enabled: false,
  lease_ttl_seconds: 120,
  max_attempts: 5,
  backoff_seconds: [60, 300, 900, 3_600, 21_600],
  backoff_jitter: 0.5,
  max_runtime_seconds: null,
  concurrency_limit: null,
  on_success_column_id: null,
  on_failure_column_id: null,
  input_schema: null,
  output_schema: null,
  exclude_previous_holder: false,
  block_recurrence_limit: 2,
  changes_reserved_seconds: 86_400,
  aging_seconds: null,
  max_per_assignee: null,
  shards: 1,
  metrics: false,
};

const LONGEST_COLUMN_ID = 64;

function integer({ least, most }: Bounds) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function integerOrNull(bounds: Bounds) {
  const error = `must be null or a whole number from ${bounds.least} to ${bounds.most}`;
  return z.int({ error }).min(bounds.least, { error }).max(bounds.most, { error }).nullable();
}

function share({ least, most }: Bounds) {
  const error = `must be a number from ${least} to ${most}, and not nearer to 0 than ${LEAST_FRACTION}`;
  return z.number({ error }).min(least, { error }).max(most, { error }).refine(isStorable, { error });
}

function waits() {
  const { least, most } = CONTRACT_BOUNDS.backoff_steps;
  const error = `must be a list of ${least} to ${most} whole numbers of seconds`;
  return z
    .array(integer(CONTRACT_BOUNDS.backoff_seconds), { error })
    .min(least, { error })
    .max(most, { error });
}

const flag = z.boolean({ error: 'must be true or false' });

const columnIdError = 'must be null or the id of a column of this board';
const columnId = z
  .string({ error: columnIdError })
  .min(1, { error: columnIdError })
  .max(LONGEST_COLUMN_ID, { error: columnIdError })
  .nullable();

const defaults = DEFAULT_CONTRACT;
const bounds = CONTRACT_BOUNDS;

/** As HTTP takes them: every one may be left out, and no other may be there. */
export const contractFields = z.strictObject({
  enabled: flag.default(defaults.enabled),
  lease_ttl_seconds: integer(bounds.lease_ttl_seconds).default(defaults.lease_ttl_seconds),
  max_attempts: integer(bounds.max_attempts).default(defaults.max_attempts),
  backoff_seconds: waits().default(() => [...defaults.backoff_seconds]),
  backoff_jitter: share(bounds.backoff_jitter).default(defaults.backoff_jitter),
  max_runtime_seconds: integerOrNull(bounds.max_runtime_seconds).default(defaults.max_runtime_seconds),
  concurrency_limit: integerOrNull(bounds.concurrency_limit).default(defaults.concurrency_limit),
  on_success_column_id: columnId.default(defaults.on_success_column_id),
  on_failure_column_id: columnId.default(defaults.on_failure_column_id),
  input_schema: z.unknown().default(defaults.input_schema),
  output_schema: z.unknown().default(defaults.output_schema),
  exclude_previous_holder: flag.default(defaults.exclude_previous_holder),
  block_recurrence_limit: integer(bounds.block_recurrence_limit).default(defaults.block_recurrence_limit),
  changes_reserved_seconds: integer(bounds.changes_reserved_seconds).default(
    defaults.changes_reserved_seconds,
  ),
  aging_seconds: integerOrNull(bounds.aging_seconds).default(defaults.aging_seconds),
  max_per_assignee: integerOrNull(bounds.max_per_assignee).default(defaults.max_per_assignee),
  shards: integer(bounds.shards).default(defaults.shards),
  metrics: flag.default(defaults.metrics),
}) satisfies z.ZodType<ContractSettings>;
