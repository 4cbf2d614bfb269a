/** Every POST on a lease. */
import { blockLease } from '../../shared/verbs/block-lease.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { failLease } from '../../shared/verbs/fail-lease.ts';
import { releaseLease } from '../../shared/verbs/release-lease.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { renewLeases } from '../../shared/verbs/renew-leases.ts';
import { requestChanges } from '../../shared/verbs/request-changes.ts';
import { requestReview } from '../../shared/verbs/request-review.ts';
import { BlockBody } from '../../shared/schemas/blocks.ts';
import { RequestChangesBody, RequestReviewBody } from '../../shared/schemas/reviews.ts';
import {
  CompleteBody,
  FailBody,
  ReleaseBody,
  RenewBatchBody,
  RenewBody,
} from '../../shared/schemas/leases.ts';
import { route, type Address, type Route } from '../http/route.ts';

const LEASE = '/v1/leases/{lease}';

export const leaseRoutes: readonly Route[] = [
  route({ method: 'POST', path: `${LEASE}:renew`, scope: 'worker', body: RenewBody, verb: renewLease }),
  route({ method: 'POST', path: `${LEASE}:heartbeat`, scope: 'worker', body: RenewBody, verb: renewLease }),
  route({
    method: 'POST',
    path: `${LEASE}:complete`,
    scope: 'worker',
    body: CompleteBody,
    verb: completeLease,
  }),
  route({ method: 'POST', path: `${LEASE}:fail`, scope: 'worker', body: FailBody, verb: failLease }),
  route({ method: 'POST', path: `${LEASE}:release`, scope: 'worker', body: ReleaseBody, verb: releaseLease }),
  route({ method: 'POST', path: `${LEASE}:block`, scope: 'worker', body: BlockBody, verb: blockLease }),
  route({
    method: 'POST',
    path: `${LEASE}:request-review`,
    scope: 'worker',
    body: RequestReviewBody,
    verb: requestReview,
  }),
  route({
    method: 'POST',
    path: `${LEASE}:request-changes`,
    scope: 'worker',
    body: RequestChangesBody,
    verb: requestChanges,
  }),
  route({
    method: 'POST',
    path: '/v1/leases:renew-batch',
    scope: 'worker',
    body: RenewBatchBody,
    verb: renewLeases,
  }),
];

/** At the same path, but with another method and so in another function. */
export const besideLeaseRoutes: readonly Address[] = [{ method: 'GET', path: LEASE }];
