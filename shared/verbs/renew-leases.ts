/** Renew many leases in one call, one answer each: a refusal of one is that row's answer. */
import type { Caller, Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import type { RenewBatchBody } from '../schemas/leases.ts';
import { problemView } from '../views/problem.ts';
import { renewLease } from './renew-lease.ts';

export async function renewLeases(engine: Engine, caller: Caller, input: RenewBatchBody) {
  const items = await Promise.all(
    input.leases.map(async ({ lease_id, ...body }) => {
      try {
        return await renewLease(engine, caller, { ...body, lease: lease_id });
      } catch (error) {
        if (!isProblem(error)) throw error;
        return { lease_id, error: problemView(error) };
      }
    }),
  );
  return { items };
}
