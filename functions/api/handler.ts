import { createInstance } from '../engine.ts';
import { apiRoutes, besideApiRoutes } from '../http/all-routes.ts';
import { endpoint } from '../http/endpoint.ts';

export const handler = endpoint({
  routes: apiRoutes,
  elsewhere: besideApiRoutes,
  instance: createInstance(),
});
