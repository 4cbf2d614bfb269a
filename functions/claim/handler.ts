import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { createInstance } from '../engine.ts';
import { endpoint } from '../http/endpoint.ts';
import { peopleFromEnv } from '../people.ts';
import { traceRateFromEnv } from '../trace-rate.ts';
import { besideClaimRoutes, claimRoutes } from './routes.ts';

export const handler = endpoint({
  routes: claimRoutes,
  elsewhere: besideClaimRoutes,
  instance: createInstance(fetchLeaseKeys, undefined, undefined, peopleFromEnv, traceRateFromEnv),
});
