import { expect, test } from 'vitest';
import { EVENT_TYPES, isEventType } from '../../shared/events/types.ts';

/** Consumers subscribe to these names: one may be added, none changed or removed. */
const NAMES = [
  'board.archived',
  'board.updated',
  'card.archived',
  'card.assigned',
  'card.attached',
  'card.block_loop_detected',
  'card.blocked',
  'card.cancel_requested',
  'card.changes_requested',
  'card.commented',
  'card.created',
  'card.deleted',
  'card.dependency_wait',
  'card.held',
  'card.lease.claimed',
  'card.lease.completed',
  'card.lease.deadlettered',
  'card.lease.expired',
  'card.lease.failed',
  'card.lease.released',
  'card.lease.resumed',
  'card.lease.revoked',
  'card.lease.taken_over',
  'card.lease.timed_out',
  'card.linked',
  'card.moved',
  'card.ready',
  'card.redriven',
  'card.reopened',
  'card.reprioritized',
  'card.review_requested',
  'card.unarchived',
  'card.unblocked',
  'card.unheld',
  'card.unlinked',
  'card.updated',
  'column.contract.updated',
  'column.created',
  'column.deleted',
  'column.paused',
  'column.resumed',
  'column.updated',
  'webhook.disabled',
  'webhook.failing',
];

test('the types of events are these', () => {
  expect([...EVENT_TYPES].sort()).toEqual(NAMES);
});

test('a type is a hierarchy of words with full stops, as Standard Webhooks asks', () => {
  expect(EVENT_TYPES.filter((type) => !/^[a-z_]+(\.[a-z_]+)+$/.test(type))).toEqual([]);
});

test('what is on every object is no type', () => {
  expect(isEventType('card.created')).toBe(true);
  expect(isEventType('toString')).toBe(false);
  expect(isEventType('card.invented')).toBe(false);
});
