/** One card from claim to settlement. */
import type { CancelTimer, Platform } from '../platform.ts';
import type { StandardSchema } from './standard-schema.ts';
import { describeIssues } from './standard-schema.ts';
import { closingOf, type Ending, type HandOff } from './closing.ts';
import { jobContext, type Handler } from './context.ts';
import { abortOf } from './errors.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { HeldLease } from './held-lease.ts';
import { ABORT_GRACE_MS } from './options.ts';
import { settle, type Settler } from './settle.ts';
import { deferred } from './deferred.ts';

/** Below this part of the lease a claim's answer came late (it was a long poll), so it is renewed first. */
const FRESH_ENOUGH = 1 / 2;

export interface JobTools<Payload> {
  readonly platform: Platform;
  readonly heartbeats: Heartbeats;
  readonly settler: Settler;
  readonly payload: StandardSchema<Payload> | undefined;
  readonly handler: Handler<Payload>;
}

/** Works one card; never throws. Resolves when the lease is over, one way or another. */
export async function workCard<Payload>(tools: JobTools<Payload>, lease: HeldLease): Promise<void> {
  tools.settler.emit({ type: 'claimed', ...lease.ref });
  tools.heartbeats.add(lease);
  if (lease.remainingMs() < lease.ttlMs * FRESH_ENOUGH) await tools.heartbeats.renewNow(lease);
  if (!lease.signal.aborted) lease.watchDeadline();
  const ending = await handle(tools, lease);
  tools.heartbeats.remove(lease);
  lease.close();
  await settle(tools.settler, lease, closingOf(ending, abortOf(lease.signal)));
}

async function handle<Payload>(tools: JobTools<Payload>, lease: HeldLease): Promise<Ending> {
  if (lease.signal.aborted) return { kind: 'threw', error: lease.signal.reason };
  const overdue = watchOverdue(tools.platform, lease);
  const ending = await Promise.race([run(tools, lease), overdue.passed]);
  overdue.cancel();
  if (ending !== 'overdue') return ending;
  tools.settler.emit({ type: 'handler_ignored_abort', ...lease.ref });
  return { kind: 'threw', error: lease.signal.reason };
}

async function run<Payload>(tools: JobTools<Payload>, lease: HeldLease): Promise<Ending> {
  try {
    const checked = await checkPayload(tools.payload, lease);
    if ('problem' in checked) return { kind: 'invalid_payload', problem: checked.problem };
    const handOff: HandOff = {};
    const context = jobContext<Payload>(lease, tools.heartbeats, checked.value, handOff);
    const output = await tools.handler(context);
    return { kind: 'returned', output, handOff };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

type Checked<Payload> = { readonly value: Payload } | { readonly problem: string };

async function checkPayload<Payload>(
  schema: StandardSchema<Payload> | undefined,
  lease: HeldLease,
): Promise<Checked<Payload>> {
  const properties: unknown = lease.claim.card.properties;
  // Without a schema Payload is unknown, its default: nothing is promised about the properties.
  if (schema === undefined) return { value: properties as Payload };
  const validation = await schema['~standard'].validate(properties);
  if (validation.issues === undefined) return { value: validation.value };
  return { problem: `The card's properties do not fit: ${describeIssues(validation.issues)}` };
}

/** `passed` resolves when a handler has not returned long after its signal aborted. */
function watchOverdue(
  platform: Platform,
  lease: HeldLease,
): { readonly passed: Promise<'overdue'>; readonly cancel: CancelTimer } {
  const { promise, resolve } = deferred<'overdue'>();
  let cancelTimer: CancelTimer = () => {};
  const onAbort = (): void => {
    cancelTimer = platform.setTimer(ABORT_GRACE_MS, () => resolve('overdue'));
  };
  lease.signal.addEventListener('abort', onAbort, { once: true });
  const cancel = (): void => {
    lease.signal.removeEventListener('abort', onAbort);
    cancelTimer();
  };
  return { passed: promise, cancel };
}
