/** Refusals as the API answers them (RFC 9457). */
import * as z from 'zod';
import { PROBLEMS } from '../../errors.ts';
import { count, FieldFault, text, textOrNull, Time, TimeOrNull } from './parts.ts';

const codes = z.enum(Object.keys(PROBLEMS));

/** A refusal within an answer: a row of a batch. */
export const ProblemAnswer = z
  .object({
    type: text,
    title: text,
    status: z.int(),
    detail: text.meta({ description: 'What was wrong, where, and what to do' }),
    code: codes.meta({ description: 'What to match on; the sentences may change' }),
    request_id: text.optional(),
    errors: z.array(FieldFault).optional(),
    allow: z.array(text).optional(),
    retry_after_seconds: z.number().optional(),
    reason: text.optional().meta({ description: 'Of `lease_lost`: why the lease ended' }),
    by: textOrNull.optional(),
    at: TimeOrNull.optional(),
    run: z.object({ number: count, outcome: textOrNull }).optional(),
    current: z.object({ agent: text, attempt: count, expires_at: Time }).nullable().optional(),
    retryable: z.literal(false).optional(),
    holder: text.optional().meta({ description: 'Of `lease_held`: who holds the card' }),
    expires_at: Time.optional(),
    parents: z.array(text).optional().meta({ description: 'Of `parents_open`: their ids' }),
    state: text.optional().meta({ description: 'Of `not_claimable`: the state of the card' }),
    waiting_on: textOrNull.optional(),
    path: z.array(text).optional().meta({ description: 'Of a cycle: the ids along it' }),
    card_id: text.optional(),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused' });
