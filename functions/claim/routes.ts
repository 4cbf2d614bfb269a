/** Every POST on a column. */
import { prefetchClaim } from '../../shared/claim/prefetch.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { redriveColumn } from '../../shared/verbs/redrive-column.ts';
import { resumeColumn } from '../../shared/verbs/resume-column.ts';
import { ClaimBatchBody, ClaimNextBody } from '../../shared/schemas/claims.ts';
import { NoFields, repeatableRoute, route, type Address, type Route } from '../http/route.ts';

const COLUMN = '/v1/boards/{board}/columns/{column}';

export const claimRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: `${COLUMN}:claim-next`,
    scope: 'worker',
    body: ClaimNextBody,
    namesAgent: true,
    prefetch: prefetchClaim,
    verb: claimNext,
  }),
  repeatableRoute({
    method: 'POST',
    path: `${COLUMN}:claim-batch`,
    scope: 'worker',
    body: ClaimBatchBody,
    namesAgent: true,
    prefetch: prefetchClaim,
    verb: claimBatch,
  }),
  route({ method: 'POST', path: `${COLUMN}:pause`, scope: 'member', body: NoFields, verb: pauseColumn }),
  route({ method: 'POST', path: `${COLUMN}:resume`, scope: 'member', body: NoFields, verb: resumeColumn }),
  route({ method: 'POST', path: `${COLUMN}:redrive`, scope: 'member', body: NoFields, verb: redriveColumn }),
];

/** At the same paths, but with other methods and so in another function. */
export const besideClaimRoutes: readonly Address[] = [
  { method: 'PATCH', path: COLUMN },
  { method: 'DELETE', path: COLUMN },
  { method: 'GET', path: `${COLUMN}/contract` },
  { method: 'PUT', path: `${COLUMN}/contract` },
];
