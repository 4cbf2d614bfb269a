/** The bucket of attachments from a function's environment: apart, for the functions that have a part in them. */
import type { Bucket } from '../shared/attachments/bucket.ts';
import { s3Bucket } from '../shared/aws/s3-bucket.ts';
import type { Deps } from '../shared/deps.ts';
import { readEnv } from '../shared/env.ts';
import type { documentClient } from '../shared/store/client.ts';

/** @param client Whose region and credentials are the bucket's as well. */
export function attachmentBucket(deps: Deps, { config }: ReturnType<typeof documentClient>): Bucket {
  const url = readEnv('ATTACHMENTS_URL');
  return s3Bucket({ url, region: config.region, credentials: config.credentials, deps });
}
