/** Links as the API answers them. */
import * as z from 'zod';
import { CardSummaryAnswer } from './card.ts';
import { text } from './parts.ts';

export const LinkAnswer = z
  .object({ parent_id: text, child_id: text })
  .meta({ id: 'Link', description: 'The parent blocks the child' });

export const LinksAnswer = z
  .object({ parents: z.array(CardSummaryAnswer), children: z.array(CardSummaryAnswer) })
  .meta({ id: 'Links', description: 'What blocks a card, and what it blocks' });

export const GraphAnswer = z
  .object({ cards: z.record(z.string(), text) })
  .meta({ id: 'Graph', description: 'Ids of the cards that were made, by their refs' });
