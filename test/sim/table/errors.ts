/** Failures as the SDK throws them: told by their names, with what they carry. */
import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../shared/store/params.ts';

/** A failure of the table, or of the way there. `name` is what the engine tells it by. */
export class TableError extends Error {
  constructor(name: string, message: string, more: object = {}) {
    super(message);
    this.name = name;
    Object.assign(this, more);
  }
}

const image = (old: Item | undefined) =>
  old === undefined ? {} : { Item: marshall(old, { removeUndefinedValues: true }) };

/** @param old The item that refused; the engine always asks for it. */
export const conditionFailed = (old: Item | undefined): TableError =>
  new TableError('ConditionalCheckFailedException', 'The conditional request failed', image(old));

export const invalid = (message: string): TableError => new TableError('ValidationException', message);

export const mismatch = (): TableError =>
  new TableError('IdempotentParameterMismatchException', 'The token was used with other parameters');

/** Why a part of a transaction did not go through; null when it would have. */
export type PartRefusal = { readonly code: string; readonly old?: Item | undefined } | null;

export function transactionCancelled(parts: readonly PartRefusal[]): TableError {
  const CancellationReasons: CancellationReason[] = parts.map((part) =>
    part === null ? { Code: 'None' } : { Code: part.code, ...image(part.old) },
  );
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new TableError('TransactionCanceledException', `Transaction cancelled: [${codes}]`, {
    CancellationReasons,
  });
}
