/** Whether it runs, and who one is. */
import { getMe } from '../../../shared/verbs/get-me.ts';
import { route, type OpenRoute, type Route } from '../../http/route.ts';

export const systemRoutes: readonly (Route | OpenRoute)[] = [
  { method: 'GET', path: '/healthz', scope: null, answer: () => ({ status: 'ok' }) },
  route({
    method: 'GET',
    path: '/v1/me',
    scope: 'worker',
    verb: getMe,
  }),
];
