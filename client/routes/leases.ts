/** What the holder of a lease does. Every closing verb may be repeated: the same token answers the same run. */
import { at, read, repeatable, type RequestOptions, type Send } from '../call.ts';
import type {
  BlockInput,
  ClosedRun,
  CompleteInput,
  FailAnswer,
  FailInput,
  JsonObject,
  Lease,
  LeaseQuery,
  Page,
  RenewAnswer,
  RenewBatchAnswer,
  RenewInput,
} from '../types.ts';

/** One lease of a batch of renewals. */
export type RenewBatchItem = RenewInput & { readonly lease_id: string };

export function leaseRoutes(send: Send) {
  const verb = <Answer>(lease: string, name: string, body: object, options?: RequestOptions) =>
    send<Answer>(repeatable(`${at`/v1/leases/${lease}`}:${name}`, body), options);
  return {
    renew: (lease: string, input: RenewInput, options?: RequestOptions) =>
      verb<RenewAnswer>(lease, 'renew', input, options),
    /** 1-100 leases, one answer each. */
    renewBatch: (leases: readonly RenewBatchItem[], options?: RequestOptions) =>
      send<RenewBatchAnswer>(repeatable('/v1/leases:renew-batch', { leases }), options),
    complete: (lease: string, input: CompleteInput, options?: RequestOptions) =>
      verb<ClosedRun>(lease, 'complete', input, options),
    fail: (lease: string, input: FailInput, options?: RequestOptions) =>
      verb<FailAnswer>(lease, 'fail', input, options),
    /** Gives the card back at once; the attempt is given back too. */
    release: (lease: string, input: { lease_token: string; note?: string }, options?: RequestOptions) =>
      verb<ClosedRun>(lease, 'release', input, options),
    block: (lease: string, input: BlockInput, options?: RequestOptions) =>
      verb<ClosedRun>(lease, 'block', input, options),
    requestReview: (
      lease: string,
      input: { lease_token: string; summary: string; metadata?: JsonObject; reviewer?: string },
      options?: RequestOptions,
    ) => verb<ClosedRun>(lease, 'request-review', input, options),
    requestChanges: (
      lease: string,
      input: { lease_token: string; reason: string },
      options?: RequestOptions,
    ) => verb<ClosedRun>(lease, 'request-changes', input, options),
    get: (lease: string, options?: RequestOptions) => send<Lease>(read(at`/v1/leases/${lease}`), options),
    list: (board: string, query: LeaseQuery = {}, options?: RequestOptions) =>
      send<Page<Lease>>(read(at`/v1/boards/${board}/leases`, { ...query }), options),
  };
}
