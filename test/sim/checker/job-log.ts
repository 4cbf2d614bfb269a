/** The life of every card as the table saw it. */
import type { Item } from '../../../shared/store/params.ts';
import type { Job } from '../../../shared/store/items.ts';
import type { Recording, TimedChange } from '../recording.ts';

export interface JobChange {
  readonly at: number;
  readonly number: number;
  readonly cardId: string;
  readonly before: Job | undefined;
  readonly after: Job | undefined;
}

/** Items of the table in memory were written by the engine: they are what they say. */
const asJob = (item: Item | undefined): Job | undefined => item as unknown as Job | undefined;

export const isOf = (change: TimedChange, sk: string): boolean => change.key.sk === sk;

export function jobChanges(recording: Pick<Recording, 'changes'>): JobChange[] {
  return recording.changes
    .filter((change) => isOf(change, 'JOB'))
    .map(({ at, number, key, before, after }) => ({
      at,
      number,
      cardId: key.pk,
      before: asJob(before),
      after: asJob(after),
    }));
}

export const byCard = (changes: readonly JobChange[]): Map<string, JobChange[]> =>
  Map.groupBy(changes, ({ cardId }) => cardId);

/** The card as it was at a time; undefined before it was made. */
export function jobAt(changes: readonly JobChange[] | undefined, at: number): Job | undefined {
  return changes?.findLast((change) => change.at <= at)?.after;
}

const CLAIMS = new Set(['claim', 'claim_checked', 'claim_named', 'supersede', 'takeover']);

/** True for a write that gives a new lease. */
export const isClaim = ({ before, after }: JobChange): boolean =>
  after !== undefined && before !== undefined && after.run !== before.run && CLAIMS.has(after.op);

export const isClaimOp = (op: string): boolean => CLAIMS.has(op);
