/** Leases and runs, to read. */
import { getLease } from '../../../shared/verbs/get-lease.ts';
import { getRun } from '../../../shared/verbs/get-run.ts';
import { listLeases } from '../../../shared/verbs/list-leases.ts';
import { listRuns } from '../../../shared/verbs/list-runs.ts';
import { ListLeasesQuery, ListRunsQuery } from '../../../shared/schemas/leases.ts';
import { route, type Route } from '../../http/route.ts';

export const leaseReadRoutes: readonly Route[] = [
  route({ method: 'GET', path: '/v1/leases/{lease}', scope: 'worker', verb: getLease }),
  route({
    method: 'GET',
    path: '/v1/boards/{board}/leases',
    scope: 'worker',
    query: ListLeasesQuery,
    verb: listLeases,
  }),
  route({
    method: 'GET',
    path: '/v1/cards/{card}/runs',
    scope: 'worker',
    query: ListRunsQuery,
    verb: listRuns,
  }),
  route({ method: 'GET', path: '/v1/runs/{run}', scope: 'worker', verb: getRun }),
];
