/** An import on its way: to which board, by whom, and how the cards of its rows are called there. */
import type { Board } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { admitted } from '../graphs/staged.ts';
import { readableJob } from '../jobs.ts';
import type { Actor, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { importedId } from './imported-id.ts';

export interface Importing {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly board: Board;
  readonly by: Actor;
}

/** What became of a row. */
export interface Imported {
  /** False when it was there already. */
  readonly created: boolean;
  /** What it is called here; null for what has no id of its own. */
  readonly id: string | null;
}

/** A card of a row as this board has it. `deleted`: it was here and was deleted since. */
export interface NamedCard {
  readonly id: string;
  readonly job: Job | 'deleted' | 'corrupt' | undefined;
}

export type CardNames = (sourceId: string) => NamedCard;

/**
 * The cards here by the ids that rows call them by. A card of this very board is itself; any other, and one that was
 * deleted from it, is the one with the id that its import gets.
 */
export async function cardNames({ engine, board }: Importing, ids: readonly string[]): Promise<CardNames> {
  const sources = [...new Set(ids)];
  const pairs = sources.flatMap((id) => [id, importedId('crd', board.id, id)]);
  const items = await engine.store.batchGet(pairs.map(jobKey));
  const found = await Promise.all(pairs.map(async (id, at) => jobHere(engine, board.id, id, items[at])));
  const names = new Map<string, NamedCard>();
  for (const [at, source] of sources.entries()) {
    const [own, made] = [found[2 * at], found[2 * at + 1]];
    const isOwn = own !== undefined && own !== 'deleted';
    names.set(source, isOwn ? { id: source, job: own } : { id: pairs[2 * at + 1] ?? '', job: made });
  }
  return (id) => names.get(id) ?? { id: importedId('crd', board.id, id), job: undefined };
}

/** Undefined also for a card of another board, and of a graph that is not committed. */
async function jobHere(
  engine: Engine,
  boardId: string,
  id: string,
  item: Record<string, unknown> | undefined,
): Promise<NamedCard['job']> {
  if (item?.['board_id'] !== boardId) return undefined;
  const job = readableJob(item, id);
  if (job === undefined || job === 'corrupt') return job;
  return job.state === 'deleted' ? 'deleted' : admitted(engine, job);
}

/** The card that a row lies under. */
export function mustBeThere({ job }: NamedCard, sourceId: string): Job {
  if (job === undefined) {
    throw problem('not_found', `There is no card ${sourceId} on this board: import its own row first.`);
  }
  if (job === 'deleted') throw wasDeleted(sourceId);
  if (job !== 'corrupt') return job;
  throw problem('conflict', `The card ${sourceId} is there and cannot be read: see the board's diagnostics.`);
}

export function wasDeleted(sourceId: string) {
  return problem(
    'conflict',
    `The card ${sourceId} was imported before and has been deleted here since, so it stays deleted. ` +
      'Import it to another board.',
  );
}
