/**
 * How a card stands, in words and as one of eleven looks. Pure: a card and the time come in. What becomes so because
 * time passes (a backoff that is over, a lease that ran out) is told without asking the server again.
 */
import type { CardSummary } from '../../../client/types.ts';
import { duration } from '../state/format.ts';

export type Status =
  | 'working'
  | 'lost'
  | 'ready'
  | 'waiting'
  | 'blocked'
  | 'dead'
  | 'held'
  | 'draft'
  | 'idle'
  | 'done'
  | 'archived';

export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  working: 'In work',
  lost: 'Worker lost',
  ready: 'Ready',
  waiting: 'Waiting',
  blocked: 'Blocked',
  dead: 'Dead',
  held: 'On hold',
  draft: 'Draft',
  idle: 'To do',
  done: 'Done',
  archived: 'Archived',
};

export function statusOf(card: CardSummary, now: number): Status {
  switch (card.state) {
    case 'leased':
      return card.lease !== null && Date.parse(card.lease.expires_at) > now ? 'working' : 'lost';
    case 'waiting':
      return waitingStatus(card, now);
    case 'idle':
      if (card.draft) return 'draft';
      return card.hold ? 'held' : 'idle';
    case 'ready':
    case 'blocked':
    case 'dead':
    case 'done':
    case 'archived':
      return card.state;
  }
}

function waitingStatus(card: CardSummary, now: number): Status {
  if (card.waiting_on === 'draft') return 'draft';
  if (card.waiting_on === 'hold') return 'held';
  const until = waitsUntil(card);
  return until !== null && until <= now ? 'ready' : 'waiting';
}

/** When a card that waits for a time goes on, in ms since the epoch. */
export function waitsUntil(card: CardSummary): number | null {
  if (card.waiting_on !== 'backoff' && card.waiting_on !== 'schedule') return null;
  return typeof card.waiting_detail === 'string' ? Date.parse(card.waiting_detail) : null;
}

export interface Attempts {
  readonly attempt: number;
  readonly most: number;
}

/** One line: what the card waits for, who has it, or what went wrong. Empty where the label says it all. */
export function sentenceOf(card: CardSummary, status: Status, now: number, most: number): string {
  switch (status) {
    case 'working':
      return `${card.lease?.agent ?? 'A worker'} is on it, attempt ${card.attempt} of ${most}`;
    case 'lost': {
      const since = card.lease === null ? 0 : (now - Date.parse(card.lease.expires_at)) / 1_000;
      return `${card.lease?.agent ?? 'Its worker'} went quiet ${duration(since)} ago; the next claim takes it over`;
    }
    case 'waiting':
      return waitingSentence(card, now);
    case 'blocked':
      return card.block === null ? '' : `${kindWords(card.block.kind)}${card.block.reason}`;
    case 'dead':
      if (card.attempt < most) return `Given up at attempt ${card.attempt} of ${most}`;
      return most === 1 ? 'Its one attempt is used up' : `All ${most} attempts are used up`;
    case 'held':
      return 'A person holds it back';
    case 'draft':
      return 'Not offered until it is published';
    case 'ready':
      return card.assignee === null ? '' : `For ${card.assignee}`;
    case 'idle':
    case 'done':
    case 'archived':
      return '';
  }
}

function kindWords(kind: string | null): string {
  if (kind === 'needs_input') return 'Needs input: ';
  if (kind === 'capability') return 'Needs a skill: ';
  if (kind === 'transient') return 'For the moment: ';
  return '';
}

function waitingSentence(card: CardSummary, now: number): string {
  const until = waitsUntil(card);
  const left = until === null ? '' : duration((until - now) / 1_000);
  switch (card.waiting_on) {
    case 'backoff':
      return `Tries again in ${left}`;
    case 'schedule':
      return `Starts in ${left}`;
    case 'parents':
      return Array.isArray(card.waiting_detail) && card.waiting_detail.length > 0
        ? `Waits for ${card.waiting_detail.length} unfinished ${card.waiting_detail.length === 1 ? 'card' : 'cards'}`
        : 'Waits for unfinished cards';
    case 'container':
      return card.counts.children === 0 ? 'A container without sub-cards' : 'Waits for its sub-cards';
    case 'input':
      return `Input is not valid${firstFault(card)}`;
    case 'draft':
    case 'hold':
    case null:
      return '';
  }
}

function firstFault(card: CardSummary): string {
  const [first] = Array.isArray(card.waiting_detail) ? card.waiting_detail : [];
  if (typeof first !== 'object' || first === null || !('message' in first)) return '';
  return `: ${first.path.replace(/^\//, '')} ${first.message}`;
}

/** Nobody but a person moves these on. */
export function needsPerson(card: CardSummary, status: Status, role: string): boolean {
  if (status === 'blocked' || status === 'dead') return true;
  if (status === 'waiting') return card.waiting_on === 'input';
  if (card.cancel_requested !== null) return false;
  return role === 'review' && status === 'ready';
}
