/** Claims and leases as the API answers them. */
import * as z from 'zod';
import { RUN_OUTCOMES } from '../../model/states.ts';
import { CardAnswer, RunAnswer } from './card.ts';
import { ContextAnswer } from './context.ts';
import { count, text, textOrNull, Time, TimeOrNull } from './parts.ts';
import { ProblemAnswer } from './problem.ts';

const seconds = z.number().min(0);

export const ClaimedAnswer = z
  .object({
    card: CardAnswer,
    lease_id: text,
    lease_token: text.meta({ description: 'To be shown with every call about this lease; keep it secret' }),
    fence: count,
    attempt: count,
    max_attempts: count,
    expires_at: Time,
    renew_after_seconds: seconds,
    server_time: Time,
    lease: CardAnswer.shape.lease.unwrap(),
    context: ContextAnswer.optional().meta({ description: 'Where it was asked for by `with_context`' }),
  })
  .meta({ id: 'Claim', description: 'A card under a lease' });

const EMPTY_REASONS = [
  'paused',
  'concurrency_limit',
  'contended',
  'not_yours',
  'all_waiting',
  'all_held',
  'all_blocked',
  'containers_only',
  'empty',
] as const;

export const NothingAnswer = z
  .object({
    card: z.null(),
    lease_id: z.null(),
    lease_token: z.null(),
    reason: z.enum(EMPTY_REASONS),
    next_available_at: TimeOrNull,
    retry_after_seconds: seconds,
  })
  .meta({ id: 'NothingToClaim', description: 'No card, why, and when to ask again' });

export const ClaimNextAnswer = z.union([ClaimedAnswer, NothingAnswer]);

export const ClaimBatchAnswer = z.object({
  claims: z.array(ClaimedAnswer),
  reason: z.enum(EMPTY_REASONS).nullable(),
  next_available_at: TimeOrNull,
  retry_after_seconds: seconds.nullable(),
});

export const LeaseAnswer = z
  .object({
    id: text,
    card_id: text,
    board_id: text,
    column_id: textOrNull,
    agent: text,
    attempt: count,
    fence: count,
    state: z.enum(['active', 'expired', 'ended']),
    outcome: z.enum(RUN_OUTCOMES).nullable(),
    claimed_at: TimeOrNull,
    expires_at: TimeOrNull,
    heartbeat_at: TimeOrNull,
    max_runtime_at: TimeOrNull,
    progress: z.number().nullable(),
    note: textOrNull,
    ended_at: TimeOrNull,
  })
  .meta({ id: 'Lease', description: 'A lease, without its token' });

export const RenewAnswer = z
  .object({
    lease_id: text,
    expires_at: Time,
    renew_after_seconds: seconds,
    server_time: Time,
    max_runtime_at: TimeOrNull,
    signals: z.object({
      cancel_requested: z.object({ by: text, reason: text, at: Time }).nullable(),
      comments_since: count,
      card_rev: count,
      paused: z.boolean(),
      wrap_up: z.boolean(),
    }),
  })
  .meta({ id: 'Renewal', description: 'The new deadline, and what a worker hears on the way' });

export const RenewBatchAnswer = z.object({
  items: z.array(z.union([RenewAnswer, z.object({ lease_id: text, error: ProblemAnswer })])),
});

export const ClosedAnswer = z.object({ card: CardAnswer, run: RunAnswer });

export const FailedAnswer = z.object({
  card: CardAnswer,
  run: RunAnswer,
  dead_lettered: z.boolean(),
  next_attempt_at: TimeOrNull,
});
