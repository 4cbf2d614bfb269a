/**
 * Every event that there is: what it is about, and what of a lease and its run it carries. The only list of their
 * names; a name that is not here does not compile.
 */
import type { RunOutcome } from '../model/states.ts';

interface EventKind {
  /** Whose sequence it counts in: a column's and a webhook's events are their board's. */
  readonly of: 'card' | 'board';
  /**
   * Outcomes of the run that it may report on. A run that has another one by now was reopened or completed late:
   * that is the story of a later event.
   */
  readonly run?: readonly RunOutcome[];
}

const card = { of: 'card' } as const;
const board = { of: 'board' } as const;

export const EVENTS = {
  'card.created': card,
  'card.updated': card,
  'card.moved': card,
  'card.ready': card,
  'card.deleted': card,
  'card.archived': card,
  'card.unarchived': card,
  'card.assigned': card,
  'card.reprioritized': card,
  'card.linked': card,
  'card.unlinked': card,
  'card.commented': card,
  'card.attached': card,
  'card.held': card,
  'card.unheld': card,
  'card.blocked': { of: 'card', run: ['blocked'] },
  'card.unblocked': card,
  'card.dependency_wait': { of: 'card', run: ['blocked'] },
  'card.block_loop_detected': { of: 'card', run: ['blocked'] },
  'card.cancel_requested': card,
  'card.redriven': card,
  'card.reopened': card,
  'card.review_requested': { of: 'card', run: ['review_requested'] },
  'card.changes_requested': { of: 'card', run: ['changes_requested'] },

  'card.lease.claimed': card,
  'card.lease.completed': { of: 'card', run: ['completed'] },
  'card.lease.failed': { of: 'card', run: ['failed'] },
  'card.lease.released': { of: 'card', run: ['released'] },
  'card.lease.expired': { of: 'card', run: ['expired'] },
  'card.lease.resumed': card,
  'card.lease.taken_over': { of: 'card', run: ['taken_over'] },
  'card.lease.timed_out': { of: 'card', run: ['timed_out'] },
  'card.lease.revoked': { of: 'card', run: ['reclaimed'] },
  'card.lease.deadlettered': {
    of: 'card',
    run: ['failed', 'released', 'expired', 'timed_out', 'blocked', 'dead_lettered'],
  },

  'board.updated': board,
  'board.archived': board,

  'column.created': board,
  'column.updated': board,
  'column.deleted': board,
  'column.contract.updated': board,
  'column.paused': board,
  'column.resumed': board,

  'webhook.failing': board,
  'webhook.disabled': board,
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

/** In the order of the list above. */
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** False for a type that a newer version has written. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

/** Outcomes of the run that an event of this type may report on. */
export function reportedOutcomes(type: string): readonly RunOutcome[] {
  const kind: EventKind | undefined = isEventType(type) ? EVENTS[type] : undefined;
  return kind?.run ?? [];
}
