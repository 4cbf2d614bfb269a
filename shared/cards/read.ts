/** A card as one reads it: found by id on a board that the caller may know, and shown with the runs it names. */
import { boardFor, mayKnow, mustBeOpen, standingBoard, type Board } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { readCardWithBody, readJob } from '../jobs.ts';
import { linkCounts } from '../links/counts.ts';
import { RunSchema, type Card, type Job, type Run } from '../store/items.ts';
import { runKey } from '../store/keys.ts';
import { cardView, type CardView } from '../views/card.ts';

/** JOB, CARD and the text, wherever that is kept. */
export interface WholeCard {
  readonly job: Job;
  readonly card: Card;
  readonly body: string;
}

/** The card, in one batch read; `not_found` also for one that the caller may not know of. */
export async function findCard(engine: Engine, caller: Caller, cardId: string): Promise<WholeCard> {
  const read = isId('crd', cardId) ? await readCardWithBody(engine, cardId) : undefined;
  if (read === undefined || !(await mayRead(engine, caller, read.job))) throw notFound('card', cardId);
  return read;
}

/** JOB alone, for what needs no more; a tombstone is no card. */
export async function findJob(engine: Engine, caller: Caller, cardId: string): Promise<Job> {
  const job = isId('crd', cardId) ? await readJob(engine, cardId) : undefined;
  if (job === undefined || job.state === 'deleted' || !(await mayRead(engine, caller, job))) {
    throw notFound('card', cardId);
  }
  return job;
}

/** The cards of a board that is deleted for good are there for a while, and nobody's any more. */
export async function mayRead(engine: Engine, caller: Caller, job: Job): Promise<boolean> {
  return mayKnow(caller, job.board_id) && (await standingBoard(engine, job.board_id)) !== undefined;
}

/** The board of a card that is about to be changed: there, and not archived. */
export async function openBoard(engine: Engine, caller: Caller, boardId: string): Promise<Board> {
  const board = await boardFor(engine, caller, boardId);
  mustBeOpen(board);
  return board;
}

/** The card as the API shows it. Reads the runs whose output and checkpoint it shows, where there are any, and counts its links. */
export async function showCard(engine: Engine, whole: WholeCard): Promise<CardView> {
  const { done_run, abandoned } = whole.job;
  const [[doneRun, abandonedRun], links] = await Promise.all([
    readRuns(engine, whole.job.pk, [done_run, abandoned?.run]),
    linkCounts(engine, whole.job),
  ]);
  return cardView({ ...whole, doneRun, abandonedRun, links }, engine.deps.now());
}

async function readRuns(
  engine: Engine,
  cardId: string,
  numbers: readonly (number | undefined)[],
): Promise<(Run | undefined)[]> {
  const wanted = numbers.filter((number) => number !== undefined);
  if (wanted.length === 0) return [];
  const items = await engine.store.batchGet(wanted.map((number) => runKey(cardId, number)));
  const runs = items.flatMap((item) => (item === undefined ? [] : [RunSchema.parse(item)]));
  return numbers.map((number) => runs.find((run) => run.number === number));
}
