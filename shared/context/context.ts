/**
 * What a worker should have read before it begins: the card, who gave it up, what its parents hand over, what was
 * tried, what was said. It informs and decides nothing: no rule reads it.
 */
import type { Engine } from '../engine.ts';
import type { Card, Job } from '../store/items.ts';
import { Cuts } from './bounded.ts';
import { sectionsOf, type Sections } from './sections.ts';
import { readSources } from './sources.ts';
import { textOf } from './text.ts';

export interface ContextView {
  readonly text: string;
  readonly sections: Sections;
  /** What was cut or left out, in words. */
  readonly truncated: readonly string[];
}

export async function contextOf(
  engine: Engine,
  card: { readonly job: Job; readonly card: Card; readonly body: string },
): Promise<ContextView> {
  const sources = await readSources(engine, card);
  const cuts = new Cuts();
  const sections = sectionsOf(sources, cuts);
  return { text: textOf(sections, cuts.said), sections, truncated: cuts.said };
}
