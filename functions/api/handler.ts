import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { attachmentBucket } from '../attachment-bucket.ts';
import { createInstance } from '../engine.ts';
import { peopleFromEnv } from '../people.ts';
import { apiRoutes, besideApiRoutes } from '../http/all-routes.ts';
import { endpoint } from '../http/endpoint.ts';
import { webhookOutlet } from '../webhook-outlet.ts';
import { traceRateFromEnv } from '../trace-rate.ts';

export const handler = endpoint({
  routes: apiRoutes,
  elsewhere: besideApiRoutes,
  instance: createInstance(fetchLeaseKeys, webhookOutlet, attachmentBucket, peopleFromEnv, traceRateFromEnv),
});
