/** Events as the API answers them; webhooks and the bus carry the same. */
import * as z from 'zod';
import { EVENT_TYPES } from '../../events/types.ts';
import { COLUMN_ROLES, RUN_OUTCOMES } from '../../model/states.ts';
import { CardSummaryAnswer } from './card.ts';
import { count, pageOf, text, textOrNull, Time, TimeOrNull } from './parts.ts';

const EventLease = z.object({ id: text, agent: text, attempt: count, claimed_at: Time, expires_at: Time });

const EventRun = z.object({
  id: text,
  number: count,
  attempt: count,
  agent: textOrNull,
  outcome: z.enum(RUN_OUTCOMES),
  summary: textOrNull.meta({ description: 'Its first line, cut to 400 characters' }),
  error: textOrNull.meta({ description: 'Its first line, cut to 400 characters' }),
  started_at: TimeOrNull,
  ended_at: TimeOrNull,
  next_attempt_at: TimeOrNull,
});

export const EventAnswer = z
  .object({
    id: text.meta({ description: 'The same however often and wherever the event is seen' }),
    type: text.meta({ description: `One of ${EVENT_TYPES.join(', ')}; more may come` }),
    timestamp: Time,
    sequence: count.meta({ description: 'Gapless per card, and per board for what is about no card' }),
    board_id: text,
    column_id: textOrNull,
    card_id: textOrNull,
    actor: z.object({ type: z.enum(['agent', 'person', 'system']), id: text }),
    previous: z
      .object({ column_id: text, state: text })
      .nullable()
      .meta({ description: 'Where the card was before' }),
    traceparent: textOrNull.meta({ description: 'W3C trace context of the card, as its creator gave it' }),
    data: z.object({
      card: CardSummaryAnswer.nullable(),
      lease: EventLease.nullable(),
      run: EventRun.nullable(),
      board: z.object({ id: text, slug: text, name: text }).nullable(),
      column: z.object({ id: text, name: text, role: z.enum(COLUMN_ROLES) }).nullable(),
      webhook: z.object({ id: text }).nullable(),
      reason: textOrNull,
    }),
  })
  .meta({ id: 'Event', description: 'One transition' });

export const EventFeedAnswer = z.object({
  items: z.array(EventAnswer),
  next_cursor: text.meta({
    description:
      'Where to go on; never null, since more may always come. In the order `newest` the same again at the end',
  }),
  expired: z.boolean().meta({ description: 'True when events behind `since` were no longer kept' }),
});

export const CardEventsAnswer = pageOf(EventAnswer);
