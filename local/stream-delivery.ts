/**
 * Hands a batch of stream records to a function as Lambda's event source mapping does: what it names as failed comes
 * again with all behind it, a batch that throws is halved, and what fails too often or for too long is given up.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamTrigger } from '../functions/manifest.ts';
import type { ErrorLog } from './http-server.ts';
import { invoke, type LocalFunction } from './lambda.ts';
import type { StreamRecord } from './shard-reader.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface DeliveryOptions {
  readonly target: LocalFunction;
  readonly trigger: Pick<StreamTrigger, 'retries' | 'maxAgeSeconds'>;
  readonly streamArn: string;
  readonly logError: ErrorLog;
  /** Aborted when no further try shall be made. */
  readonly signal: AbortSignal;
}

interface Attempt {
  readonly records: readonly StreamRecord[];
  readonly tries: number;
}

/** True when every record was handled or given up; false when it was stopped before. */
export async function deliverBatch(
  options: DeliveryOptions,
  records: readonly StreamRecord[],
): Promise<boolean> {
  const queue: Attempt[] = [{ records, tries: 0 }];
  for (let attempt = queue.shift(); attempt !== undefined; attempt = queue.shift()) {
    if (options.signal.aborted) return false;
    const outcome = await call(options, attempt.records);
    if (outcome.failedFrom === null) continue;
    const rest = again(attempt, outcome);
    const [first] = rest;
    if (first === undefined || first.tries === 0) {
      queue.unshift(...rest);
    } else if (isGivenUp(options.trigger, first)) {
      const lost = rest.flatMap(({ records }) => records);
      options.logError(`Function ${options.target.name}, ${given(lost)}`, outcome.error);
    } else {
      await pause(first.tries, options.signal);
      queue.unshift(...rest);
    }
  }
  return true;
}

interface Outcome {
  /** Place in the batch of the first that failed; null for none. */
  readonly failedFrom: number | null;
  /** The function threw, or answered what Lambda takes for a failure of the whole. */
  readonly whole: boolean;
  readonly error: unknown;
}

async function call(
  { target, streamArn }: DeliveryOptions,
  records: readonly StreamRecord[],
): Promise<Outcome> {
  try {
    const event = { Records: records.map((record) => lambdaRecord(record, streamArn)) };
    const answer = await invoke(target, event, randomUUID());
    return partialOutcome(answer, records);
  } catch (error) {
    return { failedFrom: 0, whole: true, error };
  }
}

function partialOutcome(answer: unknown, records: readonly StreamRecord[]): Outcome {
  const failures = failuresOf(answer);
  if (failures.length === 0) return { failedFrom: null, whole: false, error: null };
  const places = failures.map((number) =>
    records.findIndex((record) => record.dynamodb?.SequenceNumber === number),
  );
  // Lambda takes a number that is not of the batch for a failure of the whole.
  const whole = places.includes(-1);
  const error = new Error(`${failures.length} records were answered as failed`);
  return { failedFrom: whole ? 0 : Math.min(...places), whole, error };
}

function failuresOf(answer: unknown): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null || !('batchItemFailures' in answer)) return [];
  const { batchItemFailures: failures } = answer;
  if (!Array.isArray(failures)) return [];
  return failures.map((failure: unknown) =>
    typeof failure === 'object' && failure !== null && 'itemIdentifier' in failure
      ? failure.itemIdentifier
      : null,
  );
}

/** What is tried next. Halving a batch does not count as a try. */
function again({ records, tries }: Attempt, { failedFrom, whole }: Outcome): Attempt[] {
  const rest = records.slice(failedFrom ?? records.length);
  if (!whole || rest.length === 1) return [{ records: rest, tries: tries + 1 }];
  const middle = Math.ceil(rest.length / 2);
  return [
    { records: rest.slice(0, middle), tries },
    { records: rest.slice(middle), tries },
  ];
}

function isGivenUp({ retries, maxAgeSeconds }: DeliveryOptions['trigger'], attempt: Attempt): boolean {
  const createdAt = attempt.records[0]?.dynamodb?.ApproximateCreationDateTime?.getTime() ?? Date.now();
  return attempt.tries > retries || Date.now() - createdAt > maxAgeSeconds * 1_000;
}

/** What Lambda would write to the failure destination. */
function given(records: readonly StreamRecord[]): string {
  const [first, last] = [records.at(0), records.at(-1)].map((record) => record?.dynamodb?.SequenceNumber);
  return `${records.length} stream records given up, ${first} to ${last}`;
}

async function pause(tries: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** A record as Lambda's JSON has it: seconds, and bytes in base64. */
export function lambdaRecord(record: StreamRecord, streamArn: string): unknown {
  const { ApproximateCreationDateTime: createdAt, ...rest } = record.dynamodb ?? {};
  const seconds = createdAt === undefined ? {} : { ApproximateCreationDateTime: createdAt.getTime() / 1_000 };
  const whole = { ...record, eventSourceARN: streamArn, dynamodb: { ...seconds, ...rest } };
  return JSON.parse(
    JSON.stringify(whole, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );
}
