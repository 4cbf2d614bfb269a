/** One run by id; the open one is read from JOB. */
import { mayRead } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { parseDerived } from '../ids.ts';
import { readJob } from '../jobs.ts';
import { readRun } from '../runs.ts';
import { openRunView, runView } from '../views/card.ts';

export async function getRun(engine: Engine, caller: Caller, input: { run: string }) {
  const named = parseDerived('run', input.run);
  if (named === null) throw notFound('run', input.run);
  const [job, run] = await Promise.all([
    readJob(engine, named.cardId),
    readRun(engine, named.cardId, named.run),
  ]);
  if (job === undefined || !(await mayRead(engine, caller, job))) throw notFound('run', input.run);
  if (job.run === named.run && job.state === 'leased') return openRunView(job, run?.checkpoint);
  if (run?.outcome === undefined) throw notFound('run', input.run);
  return runView(run);
}
