/** What a graph's request comes to: its cards with their ids, in an order in which parents come first, and all links. */
import type { Deps } from '../deps.ts';
import type { FieldFault } from '../errors.ts';
import { newCardId } from '../cards/new-card.ts';
import { isId } from '../ids.ts';
import type { Edge } from '../links/edges.ts';
import type { CreateGraphBody, GraphCard } from '../schemas/graphs.ts';
import { refusedInput } from '../schemas/parse-input.ts';

export interface PlannedCard {
  readonly id: string;
  /** Milliseconds; ids and places at the column's bottom follow the order of the request. */
  readonly rankedAt: number;
  readonly body: GraphCard;
}

export interface GraphPlan {
  readonly cards: readonly PlannedCard[];
  readonly edges: readonly Edge[];
  readonly ids: ReadonlyMap<string, string>;
  readonly isNew: (cardId: string) => boolean;
}

type Named = Pick<CreateGraphBody, 'cards' | 'links'>;

/**
 * @param root Card that the graph breaks down: those of its cards that block no other come to block it.
 * @throws Problem `validation_failed` for refs that are given twice or to nobody.
 */
export function planGraph({ cards, links = [] }: Named, deps: Deps, root: string | null): GraphPlan {
  const planned = cards.map((body, at) => ({ ...newCardId(deps, at), body }));
  const ids = new Map(planned.map(({ id, body }) => [body.ref, id]));
  const byId = new Map(planned.map((card) => [card.id, card]));
  const faults = [...twiceNamed(cards), ...links.flatMap((link, at) => linkFaults(link, at, ids))];
  const idOf = (name: string) => ids.get(name) ?? name;
  for (const [at, { container_id }] of cards.entries()) {
    faults.push(...containerFaults(container_id, at, byId.get(idOf(container_id ?? ''))?.body));
  }
  if (faults.length > 0) throw refusedInput(faults);
  const linked = links.map(({ parent, child }) => ({ parent: idOf(parent), child: idOf(child), sub: false }));
  const contained = planned.flatMap(({ id, body }): Edge[] =>
    typeof body.container_id === 'string' ? [{ parent: id, child: idOf(body.container_id), sub: true }] : [],
  );
  const inside = [...linked, ...contained];
  const named = planned.map(({ body, ...card }) => ({
    ...card,
    body: withContainer(body, body.container_id == null ? root : idOf(body.container_id)),
  }));
  return {
    cards: named,
    edges: unique([...inside, ...(root === null ? [] : leavesOf(named, inside, root))]),
    ids,
    isNew: (id) => byId.has(id),
  };
}

function withContainer(body: GraphCard, container: string | null): GraphCard {
  return container === null ? body : { ...body, container_id: container };
}

/** Sub-cards of the root that nothing else in the graph waits for: when they are done, all are. */
function leavesOf(cards: readonly PlannedCard[], edges: readonly Edge[], root: string): Edge[] {
  const blocking = new Set(edges.map(({ parent }) => parent));
  return cards
    .filter(({ id }) => !blocking.has(id))
    .map(({ id }) => ({ parent: id, child: root, sub: true }));
}

function unique(edges: readonly Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [`${edge.parent} ${edge.child}`, edge])).values()];
}

function twiceNamed(cards: readonly GraphCard[]): FieldFault[] {
  const first = new Map<string, number>();
  return cards.flatMap(({ ref }, at) => {
    const before = first.get(ref);
    if (before === undefined) first.set(ref, at);
    return before === undefined
      ? []
      : [{ path: `/cards/${at}/ref`, message: `is the ref of /cards/${before} already` }];
  });
}

function linkFaults(
  { parent, child }: { parent: string; child: string },
  at: number,
  ids: ReadonlyMap<string, string>,
): FieldFault[] {
  const unknown = ([end, name]: [string, string]): FieldFault[] =>
    ids.has(name) || isId('crd', name)
      ? []
      : [
          {
            path: `/links/${at}/${end}`,
            message: `'${name}' is neither a ref of this request nor the id of a card`,
          },
        ];
  const faults = [...unknown(['parent', parent]), ...unknown(['child', child])];
  if (faults.length > 0 || ids.has(parent) || ids.has(child)) return faults;
  const message = 'joins two cards that are there already: link them with POST /v1/cards/{card}/links';
  return [{ path: `/links/${at}`, message }];
}

function containerFaults(
  name: string | null | undefined,
  at: number,
  container: GraphCard | undefined,
): FieldFault[] {
  if (name == null || container === undefined || container.container === true) return [];
  return [{ path: `/cards/${at}/container_id`, message: `the card '${name}' needs container: true` }];
}
