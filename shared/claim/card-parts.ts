/** What a worker must read of the card it was given, read strongly beside the write that leases it. */
import type { Engine } from '../engine.ts';
import { textOf } from '../jobs.ts';
import { DECIDE_RETRIES } from '../policy.ts';
import { CardSchema, RunSchema, type Card, type Job, type Run } from '../store/items.ts';
import { bodyKey, cardKey, runKey } from '../store/keys.ts';
import type { CardParts } from '../views/card.ts';

export interface ReadParts {
  readonly card: Card;
  readonly body: string;
  /** The card's last run, which is mostly the one that it was abandoned in or completed its last stage with. */
  readonly lastRun: Run | undefined;
}

/** CARD, BODY and, when the card was held before, its last run. Undefined when the card is gone. */
export async function readParts(
  engine: Engine,
  cardId: string,
  lastRun: number,
): Promise<ReadParts | undefined> {
  const runs = lastRun > 0 ? [runKey(cardId, lastRun)] : [];
  for (let attempt = 0; ; attempt += 1) {
    const [found, text, run] = await engine.store.batchGet([cardKey(cardId), bodyKey(cardId), ...runs]);
    if (found === undefined) return undefined;
    const card = CardSchema.parse(found);
    const body = textOf(card, text);
    if (body !== null || attempt >= DECIDE_RETRIES) {
      return { card, body: body ?? '', lastRun: run === undefined ? undefined : RunSchema.parse(run) };
    }
  }
}

/** The parts of a leased card, with the runs that it shows; those not read yet are read now. */
export async function completeParts(engine: Engine, job: Job, read: ReadParts): Promise<CardParts> {
  const shown = [job.done_run, job.abandoned?.run];
  const [doneRun, abandonedRun] = await Promise.all(
    shown.map(async (number) => {
      if (number === undefined || number === read.lastRun?.number)
        return number === undefined ? undefined : read.lastRun;
      const item = await engine.store.get(runKey(job.pk, number));
      return item === undefined ? undefined : RunSchema.parse(item);
    }),
  );
  return { job, card: read.card, body: read.body, doneRun, abandonedRun };
}
