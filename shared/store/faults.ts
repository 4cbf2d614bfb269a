/** What a failed call means: a condition refused, another writer in the way, a passing fault, or a defect. */
import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { problem } from '../errors.ts';
import type { Item } from './params.ts';

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TransactionConflictException',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
]);
const RETRY_AFTER_SECONDS = 1;

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

export function isRefusal(error: unknown): boolean {
  return nameOf(error) === 'ConditionalCheckFailedException';
}

/** A fault of the table that a later try may not meet becomes 503; anything else stays what it is. */
export function busy(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons = reasonsOf(error).map((reason) => reason.Code ?? '');
  const passing =
    THROTTLES.has(nameOf(error)) ||
    THROTTLES.has(code) ||
    reasons.some(
      (reason) =>
        reason === 'TransactionConflict' || reason.endsWith('Exceeded') || reason === 'ThrottlingError',
    );
  if (!passing) return error;
  const refusal = problem('throttled', 'The table did not answer in time or is busy. Try again shortly.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
  refusal.cause = error;
  return refusal;
}

function reasonsOf(error: unknown): CancellationReason[] {
  if (nameOf(error) !== 'TransactionCanceledException') return [];
  const reasons = error instanceof Error && 'CancellationReasons' in error ? error.CancellationReasons : [];
  return Array.isArray(reasons) ? reasons : [];
}

/**
 * Per part, whether its own condition refused. Null when anything else was among the reasons: a conflict says
 * nothing of the conditions beside it, so the whole is tried again or given up.
 */
export function refusals(error: unknown): ({ old: Item | undefined } | null)[] | null {
  const reasons = reasonsOf(error);
  const refused = reasons.map((reason) => reason.Code === 'ConditionalCheckFailed');
  const others = reasons.some((reason, at) => refused[at] !== true && (reason.Code ?? 'None') !== 'None');
  if (!refused.includes(true) || others) return null;
  return reasons.map((reason, at) =>
    refused[at] === true ? { old: reason.Item === undefined ? undefined : unmarshall(reason.Item) } : null,
  );
}

/**
 * DynamoDB's refusal to compute with an attribute of the wrong type: the item, not the request, is bad. Within a
 * transaction AWS says so among the reasons, where the emulator refuses the whole as it does a single write.
 */
export function isUncomputable(error: unknown): boolean {
  if (nameOf(error) === 'ValidationException') return true;
  return reasonsOf(error).some((reason) => reason.Code === 'ValidationError');
}

/** Another transaction was in the way: of a single write, or of this transaction's parts and of nothing else. */
export function isConflict(error: unknown): boolean {
  if (nameOf(error) === 'TransactionConflictException') return true;
  const codes = reasonsOf(error).map((reason) => reason.Code ?? 'None');
  return codes.includes('TransactionConflict') && codes.every((code) => RETRIED.has(code));
}
const RETRIED = new Set(['None', 'TransactionConflict', 'ConditionalCheckFailed']);

export function oldItem(error: unknown): Item | undefined {
  if (!(error instanceof Error) || !('Item' in error) || error.Item === undefined) return undefined;
  return unmarshall(error.Item as Record<string, AttributeValue>);
}
