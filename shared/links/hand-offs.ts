/** What a card's parents hand over to whoever works on it. */
import type { Engine } from '../engine.ts';
import type { Job } from '../store/items.ts';

/** A done parent with what its last completion said, word for word. */
export interface HandOff {
  readonly card_id: string;
  readonly key: string;
  readonly title: string;
  readonly agent: string | null;
  readonly summary: string | null;
  readonly metadata: unknown;
  readonly completed_at: string | null;
}

/** The hand-offs of the parents that are done, those done last at the end. */
export async function handOffs(_engine: Engine, _job: Job): Promise<readonly HandOff[]> {
  return [];
}
