/** The parents of one card, named: which there are, and which are still open. */
import type { Engine } from '../engine.ts';
import { LIMITS } from '../policy.ts';
import { readAll, readChildren, readParents, type Edge } from './edges.ts';
import { parentStates } from './satisfied.ts';

/** Ids of a card's parents, in the order of their ids; sub-cards among them when it is a container. */
export async function parentsOf(engine: Engine, cardId: string): Promise<string[]> {
  const edges = await parentEdges(engine, cardId);
  return [...new Set(edges.map(({ parent }) => parent))];
}

/** Ids of the cards that a card blocks; its container is one. */
export async function childrenOf(engine: Engine, cardId: string): Promise<string[]> {
  const edges = await readAll((page) => readChildren(engine, cardId, page), LIMITS.linksShown);
  return edges.map(({ child }) => child);
}

/**
 * Ids of the parents that are not done: open, dead, archived unfinished or deleted. Read strongly from the
 * parents themselves.
 */
export async function openParents(engine: Engine, cardId: string): Promise<string[]> {
  const open = await openEdges(engine, cardId);
  return [...new Set(open.map(({ parent }) => parent))];
}

export async function hasOpenParents(engine: Engine, cardId: string): Promise<boolean> {
  return (await openParents(engine, cardId)).length > 0;
}

export async function openEdges(engine: Engine, cardId: string): Promise<Edge[]> {
  const edges = await parentEdges(engine, cardId);
  const states = await parentStates(engine, [...new Set(edges.map(({ parent }) => parent))]);
  return edges.filter(({ parent }) => states.get(parent) === 'open');
}

const parentEdges = async (engine: Engine, cardId: string): Promise<readonly Edge[]> =>
  readAll((page) => readParents(engine, cardId, page), LIMITS.linksShown);
