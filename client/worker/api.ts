/** The few calls that a worker makes, so that its rules can be tested without a server. */
import type { RequestOptions } from '../call.ts';
import type { LeaseboardClient } from '../client.ts';
import type {
  BlockInput,
  Claim,
  ClaimInput,
  ClosedRun,
  CompleteInput,
  EmptyReason,
  FailAnswer,
  FailInput,
  RenewAnswer,
  RenewBatchAnswer,
  RenewInput,
} from '../types.ts';

export interface Claimed {
  readonly claims: readonly Claim[];
  readonly reason: EmptyReason | null;
  /** Seconds to wait before asking again, null when the answer gave none. */
  readonly retryAfterSeconds: number | null;
}

type Trace = Pick<RequestOptions, 'traceparent'>;

export interface WorkerApi {
  /** Up to `max` (1-10) cards. */
  claim(max: number, input: ClaimInput, options: RequestOptions): Promise<Claimed>;
  renew(leaseId: string, input: RenewInput, options: RequestOptions): Promise<RenewAnswer>;
  renewBatch(
    leases: readonly (RenewInput & { readonly lease_id: string })[],
    options: RequestOptions,
  ): Promise<RenewBatchAnswer>;
  complete(leaseId: string, input: CompleteInput, trace: Trace): Promise<ClosedRun>;
  fail(leaseId: string, input: FailInput, trace: Trace): Promise<FailAnswer>;
  release(leaseId: string, input: { lease_token: string; note: string }, trace: Trace): Promise<ClosedRun>;
  block(leaseId: string, input: BlockInput, trace: Trace): Promise<ClosedRun>;
}

/** A batch claim hands out at most this many. */
export const LARGEST_CLAIM_BATCH = 10;

/** Closing verbs are repeated by whoever settles the card, who knows how much time there is. */
const ONE_TRY: RequestOptions = { retries: 0 };

/** The calls, made through a client, for one column of one board. */
export function workerApi(client: LeaseboardClient, board: string, column: string): WorkerApi {
  return {
    claim: async (max, input, options) => {
      if (max > 1) {
        const batch = await client.columns.claimBatch(board, column, { ...input, max }, options);
        return {
          claims: batch.claims,
          reason: batch.reason,
          retryAfterSeconds: batch.retry_after_seconds,
        };
      }
      const answer = await client.columns.claimNext(board, column, input, options);
      if (answer.card !== null) return { claims: [answer], reason: null, retryAfterSeconds: null };
      return { claims: [], reason: answer.reason, retryAfterSeconds: answer.retry_after_seconds };
    },
    renew: (leaseId, input, options) => client.leases.renew(leaseId, input, options),
    renewBatch: (leases, options) => client.leases.renewBatch(leases, options),
    complete: (leaseId, input, trace) => client.leases.complete(leaseId, input, { ...ONE_TRY, ...trace }),
    fail: (leaseId, input, trace) => client.leases.fail(leaseId, input, { ...ONE_TRY, ...trace }),
    release: (leaseId, input, trace) => client.leases.release(leaseId, input, { ...ONE_TRY, ...trace }),
    block: (leaseId, input, trace) => client.leases.block(leaseId, input, { ...ONE_TRY, ...trace }),
  };
}

/**
 * Id of a column given by id or by name (any case). Throws when the board has no such column: a worker that
 * polls a misspelt queue would wait for ever.
 */
export async function resolveColumn(
  client: LeaseboardClient,
  board: string,
  column: string,
  signal?: AbortSignal,
): Promise<string> {
  if (column.startsWith('col_')) return column;
  const { columns } = await client.boards.get(board, { signal });
  const wanted = column.toLowerCase();
  const found = columns.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (found !== undefined) return found.id;
  const names = columns.map((candidate) => candidate.name).join(', ');
  throw new Error(`Board "${board}" has no column "${column}"; it has: ${names}`);
}
