import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { attachmentBucket } from '../attachment-bucket.ts';
import { createInstance } from '../engine.ts';
import { peopleFromEnv } from '../people.ts';
import { traceRateFromEnv } from '../trace-rate.ts';
import { mcpEndpoint } from './endpoint.ts';

export const handler = mcpEndpoint(
  createInstance(fetchLeaseKeys, undefined, attachmentBucket, peopleFromEnv, traceRateFromEnv),
);
