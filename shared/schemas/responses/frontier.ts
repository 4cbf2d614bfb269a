/** The frontier as the API answers it. */
import * as z from 'zod';
import { EMPTY_REASONS } from '../../claim/reason.ts';
import { CardSummaryAnswer } from './card.ts';
import { count, text } from './parts.ts';

const report = {
  reason: z
    .enum(EMPTY_REASONS)
    .nullable()
    .meta({ description: 'Why there is none, as a claim would say; null while there is one' }),
  ready: count.meta({ description: 'Cards that may be taken' }),
  active: count.meta({ description: 'Agents that hold a card at this moment' }),
  narrow: z.boolean().meta({ description: 'Fewer cards may be taken than agents are active: plan finer' }),
};

export const FrontierAnswer = z
  .object({
    items: z.array(CardSummaryAnswer),
    ...report,
    by_column: z.record(text, z.object(report)),
  })
  .meta({ id: 'Frontier', description: 'What may be taken right now: a set, in which any is as good' });
