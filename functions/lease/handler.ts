import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { attachmentBucket } from '../attachment-bucket.ts';
import { createInstance } from '../engine.ts';
import { peopleFromEnv } from '../people.ts';
import { traceRateFromEnv } from '../trace-rate.ts';
import { endpoint } from '../http/endpoint.ts';
import { besideLeaseRoutes, leaseRoutes } from './routes.ts';

export const handler = endpoint({
  routes: leaseRoutes,
  elsewhere: besideLeaseRoutes,
  instance: createInstance(fetchLeaseKeys, undefined, attachmentBucket, peopleFromEnv, traceRateFromEnv),
});
