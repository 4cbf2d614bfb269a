/** Leases and runs, to read. */
import { getLease } from '../../../shared/verbs/get-lease.ts';
import { getRun } from '../../../shared/verbs/get-run.ts';
import { route, type Route } from '../../http/route.ts';

export const leaseReadRoutes: readonly Route[] = [
  route({ method: 'GET', path: '/v1/leases/{lease}', scope: 'worker', verb: getLease }),
  route({ method: 'GET', path: '/v1/runs/{run}', scope: 'worker', verb: getRun }),
];
