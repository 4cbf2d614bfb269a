/**
 * The run that a person's verb closes: the holder's, which it ends, or where nobody holds the card one of no
 * length, so that what a person says of a card is handed on like what a worker says.
 */
import { leaseNote } from '../jobs.ts';
import { withoutHold } from '../model/hold.ts';
import { closeRun, type Closing } from '../runs.ts';
import type { EventNote, Job } from '../store/items.ts';
import type { Draft } from './change.ts';

interface Closed {
  /** With the job in nobody's hands and not in a lane yet, and the run's write among `also`. */
  readonly draft: Draft;
  readonly run: number;
  /** What the verb's event says of the run. */
  readonly noted: Pick<EventNote, 'lease' | 'run'>;
}

export function closePersonRun(draft: Draft, closing: Omit<Closing, 'by'>): Closed {
  const { job, by, now } = draft;
  const held = job.state === 'leased';
  const attempt: Job = held ? job : { ...withoutHold(job), run: job.run + 1, claimed_at: now };
  const { write } = closeRun(attempt, { ...closing, by: by.id }, now);
  return {
    draft: { ...draft, job: withoutHold(attempt), also: [...draft.also, write] },
    run: attempt.run,
    noted: held ? leaseNote(job) : { run: attempt.run },
  };
}
