/** What one card's answer says of its links: counted when it is read, since no counter is kept. */
import type { Engine } from '../engine.ts';
import { LIMITS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { readAll, readChildren } from './edges.ts';
import { isGated } from './facts.ts';
import { openEdges } from './open-parents.ts';

export interface LinkCounts {
  /** Ids of what it waits for: parents, and sub-cards of a container. */
  readonly openParents: readonly string[];
  readonly openSubs: readonly string[];
  /** Up to 1,000. */
  readonly children: number;
}

export async function linkCounts(engine: Engine, job: Job): Promise<LinkCounts> {
  const [open, children] = await Promise.all([
    isGated(job) ? openEdges(engine, job.pk) : [],
    readAll((page) => readChildren(engine, job.pk, page), LIMITS.linksShown),
  ]);
  const isSub = ({ sub }: { sub: boolean }) => sub && job.container === true;
  return {
    openParents: open.filter((edge) => !isSub(edge)).map(({ parent }) => parent),
    openSubs: open.filter(isSub).map(({ parent }) => parent),
    children: children.length,
  };
}
