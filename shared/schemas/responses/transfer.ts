/** Exports and imports as the API answers them. */
import * as z from 'zod';
import { ProblemAnswer } from './problem.ts';
import { count, text, textOrNull } from './parts.ts';

export const ExportedRowAnswer = z
  .looseObject({ type: text })
  .meta({
    id: 'ExportedRow',
    description: 'Of a board, a column, a contract, a card, what lies under it, or links',
  });

export const ImportAnswer = z.object({
  items: z.array(
    z.union([
      z.object({ index: count, type: text, status: z.int(), id: textOrNull }),
      z.object({ index: count, type: textOrNull, status: z.int(), error: ProblemAnswer }),
    ]),
  ),
  created: count,
  existing: count,
  refused: count,
});
