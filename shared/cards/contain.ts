/** Which container a card is in: a change of it is a change of links. */
import { sideWrite } from '../jobs.ts';
import { mustBeContainer, subCardChange } from '../links/birth.ts';
import { linkVersionWrite, mustCloseNoCycle } from '../links/cycles.ts';
import { edgeDeletes, edgePuts } from '../links/edges.ts';
import { lookQuietly } from '../links/look.ts';
import { readKnown } from '../links/read-known.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { Write } from '../store/params.ts';
import type { Draft } from './change.ts';

/** The draft with the links that its `container_id` stands for, where that has changed. */
export async function containedIn(draft: Draft): Promise<Draft> {
  const { engine, job, card, before } = draft;
  const from = before.card.container_id;
  const to = card.container_id;
  if (from === to) return draft;
  const out = from === undefined ? [] : edgeDeletes({ parent: job.pk, child: from });
  const into = to === undefined ? [] : await entered(draft, to);
  const both = [from, to].filter((id) => id !== undefined);
  return {
    ...draft,
    also: [...draft.also, ...out, ...into],
    afterwards: [...draft.afterwards, ...both.map((id) => async () => lookQuietly(engine, id))],
  };
}

async function entered({ engine, caller, job, board }: Draft, to: string): Promise<Write[]> {
  const version = await linkVersionWrite(engine, board.id);
  const container = (await readKnown(engine, [to], board.id)).get(to);
  if (container === undefined) {
    throw refusedInput([{ path: '/container_id', message: `There is no card '${to}' on this board` }]);
  }
  mustBeContainer(container);
  await mustCloseNoCycle(engine, [{ parent: job.pk, child: to }]);
  const change = isSatisfied(job) ? null : await subCardChange(engine, caller, container, { sub: job.pk });
  return [
    version,
    ...edgePuts(board.id, { parent: job.pk, child: to, sub: true }),
    ...(change === null ? [] : [sideWrite(engine, change)]),
  ];
}
