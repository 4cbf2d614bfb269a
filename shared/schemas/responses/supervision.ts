/** Stats and diagnostics as the API answers them. */
import * as z from 'zod';
import { DIAGNOSTIC_CODES } from '../../diagnostics/codes.ts';
import { CARD_STATES } from '../../model/states.ts';
import { count, JsonObject, text, textOrNull, TimeOrNull } from './parts.ts';

const counts = z.partialRecord(z.enum(CARD_STATES), count).meta({ description: 'Cards per state' });
const capped = z.boolean().meta({ description: 'True where counting stopped at 1,000' });
const age = {
  oldest_ready_at: TimeOrNull.meta({ description: 'Since when the oldest ready card is ready' }),
  oldest_ready_seconds: count.nullable(),
};

export const StatsAnswer = z
  .object({
    board_id: text,
    counts,
    capped,
    columns: z.array(z.object({ column_id: text, name: text, counts, capped, ...age })),
    assignees: z
      .array(z.object({ assignee: textOrNull, counts }))
      .meta({ description: 'Cards that are not over, by whose they are; null: nobody’s' }),
    ...age,
    done_last_hour: count.meta({ description: 'Cards that became done and still stand there' }),
    done_last_day: count,
    dead: count,
    stuck: count.meta({ description: 'Cards that should have gone on two minutes ago or more, and did not' }),
  })
  .meta({ id: 'Stats' });

export const DiagnosticAnswer = z
  .object({
    card_id: text,
    code: z.enum(DIAGNOSTIC_CODES).meta({ description: 'What to match on; the sentences may change' }),
    sentence: text,
    since: TimeOrNull,
    action: z
      .object({
        verb: text.meta({ description: 'The operation that helps' }),
        method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
        path: text,
        body: JsonObject.nullable().meta({ description: 'What to send; null where only a person knows' }),
      })
      .nullable(),
  })
  .meta({ id: 'Diagnostic', description: 'Why a card is not offered' });
