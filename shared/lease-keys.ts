/**
 * Keys that sign lease tokens, from Secrets Manager: outside the table, so that a reader of the table or its
 * stream cannot make a token. While one is rotated two are valid, and `current` signs.
 */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';

export interface LeaseKeys {
  readonly current: string;
  readonly secrets: ReadonlyMap<string, Buffer>;
}

const SecretShape = z.object({ current: z.string() }).catchall(z.unknown());

/** Keys from a secret: `{"current": "k1", "k1": "<random>"}`, or the keys one level down under `keys`. */
export function parseLeaseKeys(secret: string): LeaseKeys {
  const { current, ...rest } = SecretShape.parse(JSON.parse(secret));
  const entries = z.record(z.string(), z.string().min(32)).parse(rest['keys'] ?? rest);
  const secrets = new Map(Object.entries(entries).map(([id, value]) => [id, Buffer.from(value)]));
  if (!secrets.has(current))
    throw new Error(`The lease-key secret names '${current}' as current and lacks it`);
  return { current, secrets };
}

export async function fetchLeaseKeys(secretId: string): Promise<LeaseKeys> {
  const client = new SecretsManagerClient({});
  const answer = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  return parseLeaseKeys(answer.SecretString ?? '');
}
