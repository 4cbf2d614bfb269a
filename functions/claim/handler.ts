import { createInstance } from '../engine.ts';
import { endpoint } from '../http/endpoint.ts';
import { besideClaimRoutes, claimRoutes } from './routes.ts';

export const handler = endpoint({
  routes: claimRoutes,
  elsewhere: besideClaimRoutes,
  instance: createInstance(),
});
