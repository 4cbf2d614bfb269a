/**
 * Links between cards as they are kept: a parent blocks a child, and a sub-card blocks its container, each by two
 * items, so that both sides can be read in pages and neither grows with the other.
 */
import type { Engine } from '../engine.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { CHILD_PREFIX, childEdgeKey, PARENT_PREFIX, parentEdgeKey } from '../store/keys.ts';
import { EdgeSchema, PendingParentsSchema } from '../store/link-items.ts';
import type { Delete, Item, Put } from '../store/params.ts';

export interface Edge {
  readonly parent: string;
  readonly child: string;
  /** The parent is a sub-card of the child. */
  readonly sub: boolean;
}

/** The half under the parent first: whoever finds only that one meets a child that does not know of it yet. */
export function edgePuts(boardId: string, { parent, child, sub }: Edge): [Put, Put] {
  const common = { v: LAYOUT_VERSION, board_id: boardId, ...(sub ? { sub: true } : {}) };
  return [
    { kind: 'put', item: { ...childEdgeKey(parent, child), ...common } },
    { kind: 'put', item: { ...parentEdgeKey(child, parent), ...common } },
  ];
}

export function edgeDeletes({ parent, child }: Pick<Edge, 'parent' | 'child'>): [Delete, Delete] {
  return [
    { kind: 'delete', key: childEdgeKey(parent, child) },
    { kind: 'delete', key: parentEdgeKey(child, parent) },
  ];
}

export interface EdgePage {
  readonly edges: readonly Edge[];
  /** Where to go on; undefined at the end. */
  readonly next: Item | undefined;
}

interface PageOptions {
  readonly limit: number;
  readonly start?: Item | undefined;
}

/** What blocks a card, read strongly. Parents whose items are still being written are among them. */
export async function readParents(engine: Engine, childId: string, options: PageOptions): Promise<EdgePage> {
  const { items, next } = await halves(engine, childId, PARENT_PREFIX, options);
  return { edges: items.flatMap(parentEdges), next };
}

/** What a card blocks, read strongly. */
export async function readChildren(
  engine: Engine,
  parentId: string,
  options: PageOptions,
): Promise<EdgePage> {
  const { items, next } = await halves(engine, parentId, CHILD_PREFIX, options);
  return { edges: items.map(childEdge), next };
}

/** A whole list of at most `most` edges, page by page. */
export async function readAll(
  read: (options: PageOptions) => Promise<EdgePage>,
  most: number,
): Promise<readonly Edge[]> {
  const edges: Edge[] = [];
  let start: Item | undefined;
  do {
    const page = await read({ limit: most - edges.length, start });
    edges.push(...page.edges);
    start = page.next;
  } while (start !== undefined && edges.length < most);
  return edges;
}

async function halves(
  engine: Engine,
  cardId: string,
  prefix: string,
  { limit, start }: PageOptions,
): Promise<{ items: Item[]; next: Item | undefined }> {
  return engine.store.query({
    pk: { name: 'pk', value: cardId },
    sk: { name: 'sk', prefix },
    consistent: true,
    limit,
    ...(start === undefined ? {} : { start }),
  });
}

function parentEdges(item: Item): Edge[] {
  const pending = PendingParentsSchema.safeParse(item);
  if (pending.success) {
    return pending.data.parents.map((parent) => ({ parent, child: pending.data.pk, sub: false }));
  }
  const { pk, sk, sub } = EdgeSchema.parse(item);
  return [{ parent: sk.slice(PARENT_PREFIX.length), child: pk, sub: sub === true }];
}

function childEdge(item: Item): Edge {
  const { pk, sk, sub } = EdgeSchema.parse(item);
  return { parent: pk, child: sk.slice(CHILD_PREFIX.length), sub: sub === true };
}
