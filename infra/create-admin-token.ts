/**
 * `node infra/create-admin-token.ts --table NAME [--name NAME]`: the first admin token of a deployment. It is
 * written with the deployer's own AWS credentials, because nobody can call the API before a token exists.
 *
 * It prints the token once, on standard output and alone, so that it can be piped into a vault; the table holds
 * only its hash. Each run makes another token; those no longer wanted are revoked over the API.
 */
import { parseArgs } from 'node:util';
import { ulid } from 'ulid';
import { NO_BUCKET } from '../shared/attachments/bucket.ts';
import { Cache } from '../shared/cache.ts';
import { ClaimMemory } from '../shared/claim/memory.ts';
import { systemDeps } from '../shared/deps.ts';
import type { Engine } from '../shared/engine.ts';
import { documentClient } from '../shared/store/client.ts';
import { Store } from '../shared/store/store.ts';
import { NO_WEBHOOKS } from '../shared/webhooks/outlet.ts';
// oxlint-disable-next-line no-restricted-imports -- a command of the deployer, not a part of what is deployed
import { installToken } from '../shared/verbs/install-token.ts';

const USAGE = 'node infra/create-admin-token.ts --table NAME [--name NAME]';

/** 256 bits: as long as the hash that is kept of it. */
const SECRET_BYTES = 32;

async function main(): Promise<void> {
  const { table, name } = readArguments();
  const token = `lb_${ulid()}_${systemDeps.secret(SECRET_BYTES)}`;
  await installToken(engineOn(table), { token, name, scopes: ['admin'] });
  console.log(token);
}

function readArguments(): { table: string; name: string } {
  const { values } = parseArgs({
    options: { table: { type: 'string' }, name: { type: 'string', default: 'admin' } },
  });
  if (values.table === undefined) throw new Error(`--table is missing: ${USAGE}`);
  return { table: values.table, name: values.name };
}

/** An engine that can only write: it is given no lease key, so it can neither make nor read a lease token. */
function engineOn(tableName: string): Engine {
  const now = (): number => systemDeps.now();
  return {
    deps: systemDeps,
    store: new Store({ tableName, client: documentClient(), deps: systemDeps }),
    leaseKeys: { current: '', secrets: new Map() },
    columns: new Cache(0, now),
    boards: new Cache(0, now),
    slugs: new Cache(0, now),
    claims: new ClaimMemory(),
    webhooks: NO_WEBHOOKS,
    bucket: NO_BUCKET,
    maxWaitMs: 0,
  };
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  console.error(`No token was made. ${reason}`);
  console.error(
    'Check that --table is the output TableName of the deployment, and that your AWS credentials and region are ' +
      'those of its account.',
  );
  process.exitCode = 1;
});
