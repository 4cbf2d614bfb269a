/**
 * Cycles: a link is refused when its parent already waits, through whatever cards, on its child. What the new
 * links join is read upwards, strongly. Two links looked at side by side would both pass, so whatever joins cards
 * that were there before also raises the board's link version, read before the walk.
 */
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { ANCESTORS_MAX, LIMITS, WALK_WIDTH } from '../policy.ts';
import { ABSENT, expression } from '../store/conditions.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { linkVersionKey } from '../store/keys.ts';
import { LinkVersionSchema } from '../store/link-items.ts';
import type { Update } from '../store/params.ts';
import { inWidth } from '../width.ts';
import { readAll, readParents, type Edge } from './edges.ts';

/** The write that makes a link refuse itself when another has been made since now. Read before the walk. */
export async function linkVersionWrite(engine: Engine, boardId: string): Promise<Update> {
  const item = await engine.store.get(linkVersionKey(boardId));
  const version = item === undefined ? undefined : LinkVersionSchema.parse(item).version;
  return {
    kind: 'update',
    key: linkVersionKey(boardId),
    set: { v: LAYOUT_VERSION, board_id: boardId, version: (version ?? 0) + 1 },
    remove: [],
    condition: version === undefined ? ABSENT : expression('#version = :c_version', { version }),
  };
}

type Link = Pick<Edge, 'parent' | 'child'>;

/**
 * Refuses links that would close a cycle, naming the cards that it goes through.
 *
 * @param isNew True for a card that is only now being made, and so has no other links.
 */
export async function mustCloseNoCycle(
  engine: Engine,
  links: readonly Link[],
  isNew: (cardId: string) => boolean = () => false,
): Promise<void> {
  const parents = await ancestry(engine, links, isNew);
  const path = cycleIn(
    parents,
    links.map(({ child }) => child),
  );
  if (path === null) return;
  const [only] = path;
  throw path.length === 2 && only !== undefined
    ? problem('conflict', `The card ${only} cannot block itself.`, { path })
    : problem(
        'conflict',
        `The link would close a cycle, and none of its cards could ever begin: ${path.join(' -> ')}.`,
        { path },
      );
}

/** Parents by card, of all cards that can be reached upwards from the new links' parents, those links included. */
async function ancestry(
  engine: Engine,
  links: readonly Link[],
  isNew: (cardId: string) => boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parents = new Map<string, string[]>();
  for (const { parent, child } of links) parents.set(child, [...(parents.get(child) ?? []), parent]);
  const seen = new Set<string>();
  let level = [...new Set(links.map(({ parent }) => parent))];
  while (level.length > 0) {
    const old = level.filter((id) => !isNew(id));
    for (const id of level) seen.add(id);
    if (seen.size > ANCESTORS_MAX + links.length) throw tooMany();
    const found = await inWidth(WALK_WIDTH, old, async (id) =>
      readAll((page) => readParents(engine, id, page), LIMITS.linksShown),
    );
    for (const [at, id] of old.entries()) {
      const stored = (found[at] ?? []).map(({ parent }) => parent);
      parents.set(id, [...new Set([...(parents.get(id) ?? []), ...stored])]);
    }
    level = [...new Set(level.flatMap((id) => parents.get(id) ?? []))].filter((id) => !seen.has(id));
  }
  return parents;
}

function tooMany() {
  return problem(
    'conflict',
    `The link joins more than ${ANCESTORS_MAX} cards that wait on each other; whether it closes a cycle cannot ` +
      'be told. Link to a card further up, or gather some of them under a container.',
  );
}

/** The cards of a cycle in the order in which they block each other, the first one again at the end. */
function cycleIn(parents: ReadonlyMap<string, readonly string[]>, from: readonly string[]): string[] | null {
  const closed = new Set<string>();
  for (const start of from) {
    const path: { id: string; left: string[] }[] = [];
    const enter = (id: string) => path.push({ id, left: [...(parents.get(id) ?? [])] });
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        closed.add(top.id);
        path.pop();
        continue;
      }
      const at = path.findIndex(({ id }) => id === next);
      if (at >= 0)
        return [
          next,
          ...path
            .slice(at)
            .map(({ id }) => id)
            .toReversed(),
        ];
      if (!closed.has(next)) enter(next);
    }
  }
  return null;
}
