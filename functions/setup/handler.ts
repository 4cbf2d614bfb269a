import { parseTargets } from '../../shared/webhooks/public-address.ts';
import { NO_WEBHOOKS } from '../../shared/webhooks/outlet.ts';
import { readEnv } from '../../shared/env.ts';
import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { createInstance } from '../engine.ts';
import { describeError } from '../http/log.ts';
import { answerApplied, answerFailed, NEVER_MADE, parseCustomResourceRequest } from './custom-resource.ts';
import { kindOf } from './kinds.ts';

const instance = createInstance(fetchLeaseKeys, () => ({
  ...NO_WEBHOOKS,
  targets: parseTargets(readEnv('WEBHOOK_TARGETS')),
}));

/** What it throws is Lambda's to try again, twice; everything that it applies may be applied again. */
export async function handler(event: unknown): Promise<void> {
  const { engine, log, ready } = instance;
  const request = parseCustomResourceRequest(event);
  const { RequestType: type, PhysicalResourceId: before, ResourceProperties: wanted } = request;
  const fields = { type, kind: wanted.Kind, logical_id: request.LogicalResourceId };
  try {
    await ready();
    const kind = kindOf(wanted.Kind);
    const code: unknown = JSON.parse(wanted.Code);
    const applied = type === 'Delete' ? { id: before ?? NEVER_MADE } : await kind.apply(engine, code);
    if (type === 'Delete' && before !== undefined && before !== NEVER_MADE) await kind.remove(engine, before);
    log('INFO', 'set up', { ...fields, id: applied.id });
    await answerApplied(request, applied);
  } catch (error) {
    log('ERROR', 'not set up', { ...fields, error: describeError(error) });
    await answerFailed(request, error instanceof Error ? error.message : 'unknown');
  }
}
