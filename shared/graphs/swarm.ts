/**
 * The shape of a swarm: a root that is done and serves as the blackboard, workers that may all begin, a verifier
 * that waits for all of them, and a synthesizer that waits for the verifier.
 */
import { LIMITS } from '../policy.ts';
import type { CreateGraphBody, CreateSwarmBody, GraphCard } from '../schemas/graphs.ts';

export const SWARM_ROOT = 'root';

/** @param place Columns of what is to be done, and of the root, which is done. */
export function swarmGraph(
  { goal, workers, verifier, synthesizer }: CreateSwarmBody,
  place: { readonly queue: string; readonly done: string },
): CreateGraphBody {
  const title = titleOf(goal);
  const card = (ref: string, heading: string, assignee: string | null): GraphCard => ({
    ref,
    column_id: place.queue,
    title: titleOf(`${heading}: ${title}`),
    body: goal,
    assignee,
    properties: { swarm: { role: ref.replace(/-\d+$/, ''), blackboard: SWARM_ROOT } },
  });
  const refs = workers.map((_, at) => `worker-${at + 1}`);
  return {
    cards: [
      {
        ref: SWARM_ROOT,
        column_id: place.done,
        title,
        body: goal,
        properties: { swarm: { role: 'blackboard' } },
      },
      ...workers.map((assignee, at) => card(refs[at] ?? '', `Part ${at + 1} of ${workers.length}`, assignee)),
      card('verifier', 'Verify', verifier),
      card('synthesizer', 'Bring together', synthesizer),
    ],
    links: [
      ...refs.map((child) => ({ parent: SWARM_ROOT, child })),
      ...refs.map((parent) => ({ parent, child: 'verifier' })),
      { parent: 'verifier', child: 'synthesizer' },
    ],
  };
}

/** The first line, as long as a title may be. */
function titleOf(text: string): string {
  const [line = ''] = text.trim().split(/\r?\n/);
  return Array.from(line).slice(0, LIMITS.titleCharacters).join('');
}
