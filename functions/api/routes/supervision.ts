/** How a board fares, and what its people should see to. */
import { DiagnosticsQuery } from '../../../shared/schemas/boards.ts';
import { getDiagnostics } from '../../../shared/verbs/get-diagnostics.ts';
import { getStats } from '../../../shared/verbs/get-stats.ts';
import { route, type Route } from '../../http/route.ts';

const BOARD = '/v1/boards/{board}';

export const supervisionRoutes: readonly Route[] = [
  route({ method: 'GET', path: `${BOARD}/stats`, scope: 'worker', verb: getStats }),
  route({
    method: 'GET',
    path: `${BOARD}/diagnostics`,
    scope: 'worker',
    query: DiagnosticsQuery,
    verb: getDiagnostics,
  }),
];
