/** One lease by id: the card's current hold, or what became of an earlier one. */
import { mayRead } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { parseDerived } from '../ids.ts';
import { readJob } from '../jobs.ts';
import { readRun } from '../runs.ts';
import { heldLeaseView, endedLeaseView } from '../views/lease.ts';

/** Answers the lease with its `state` (`active`, `expired` or `ended`) and, ended, its run's outcome. */
export async function getLease(engine: Engine, caller: Caller, input: { lease: string }) {
  const named = parseDerived('lse', input.lease);
  if (named === null) throw notFound('lease', input.lease);
  const [job, run] = await Promise.all([
    readJob(engine, named.cardId),
    readRun(engine, named.cardId, named.run),
  ]);
  if (job === undefined || !(await mayRead(engine, caller, job)) || named.run > job.run) {
    throw notFound('lease', input.lease);
  }
  if (job.run === named.run && job.state === 'leased') return heldLeaseView(job, engine.deps.now());
  if (run === undefined) throw notFound('lease', input.lease);
  return endedLeaseView(run);
}
