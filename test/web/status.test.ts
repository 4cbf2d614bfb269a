/** How a card stands in words, what stands where, and which news is newer: the board's own reasoning, without a browser. */
import { expect, test } from 'vitest';
import type { CardSummary, ColumnDetail } from '../../client/types.ts';
import { DIAGNOSTIC_CODES } from '../../shared/diagnostics/codes.ts';
import { arrange, rankBetween } from '../../web/src/board/arrange.ts';
import { laneRows } from '../../web/src/board/lanes.ts';
import { isNewer, type Placed } from '../../web/src/board/placed.ts';
import { needsPerson, sentenceOf, statusOf } from '../../web/src/board/status.ts';
import { grouped } from '../../web/src/pages/diagnosis-groups.ts';
import { duration } from '../../web/src/state/format.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString();

const CARD = {
  id: 'crd_1',
  key: 'X-1',
  column_id: 'col_1',
  title: 'A card',
  state: 'ready',
  waiting_on: null,
  waiting_detail: null,
  block: null,
  priority: 5,
  assignee: null,
  labels: [],
  draft: false,
  hold: false,
  lease: null,
  abandoned_by: null,
  cancel_requested: null,
  attempt: 0,
  fence: 0,
  rev: 1,
  updated_at: at(-60),
  counts: { comments: 0, attachments: 0, parents_open: 0, children: 0, runs: 0 },
} as unknown as CardSummary;

const card = (change: Partial<CardSummary>): CardSummary => ({ ...CARD, ...change });

const leaseUntil = (expires_at: string): NonNullable<CardSummary['lease']> => ({
  id: 'lse_1',
  card_id: 'crd_1',
  agent: 'drafter-7',
  attempt: 2,
  claimed_at: at(-30),
  expires_at,
  expired: false,
  heartbeat_at: null,
  progress: null,
  note: null,
});

test('a lease that runs out makes its worker lost without any news from the server', () => {
  const held = card({ state: 'leased', attempt: 2, lease: leaseUntil(at(10)) });
  expect(statusOf(held, NOW)).toBe('working');
  expect(statusOf(held, NOW + 11_000)).toBe('lost');
  expect(sentenceOf(held, 'lost', NOW + 12_000, 5)).toBe(
    'drafter-7 went quiet 2 s ago; the next claim takes it over',
  );
});

test('a backoff that is over makes the card ready, and one that is not says how long', () => {
  const waiting = card({ state: 'waiting', waiting_on: 'backoff', waiting_detail: at(90) });
  expect(statusOf(waiting, NOW)).toBe('waiting');
  expect(sentenceOf(waiting, 'waiting', NOW, 5)).toBe('Tries again in 1 min 30 s');
  expect(statusOf(waiting, NOW + 90_000)).toBe('ready');
});

test('draft and hold are looks of their own, in a queue and outside', () => {
  expect(statusOf(card({ state: 'waiting', waiting_on: 'draft' }), NOW)).toBe('draft');
  expect(statusOf(card({ state: 'waiting', waiting_on: 'hold' }), NOW)).toBe('held');
  expect(statusOf(card({ state: 'idle', hold: true }), NOW)).toBe('held');
  expect(statusOf(card({ state: 'idle' }), NOW)).toBe('idle');
});

test('people are waited for by what is blocked, dead, ill-formed or to be reviewed, and by nothing else', () => {
  const asks = (change: Partial<CardSummary>, role = 'work'): boolean => {
    const one = card(change);
    return needsPerson(one, statusOf(one, NOW), role);
  };
  expect(asks({ state: 'blocked' })).toBe(true);
  expect(asks({ state: 'dead' })).toBe(true);
  expect(asks({ state: 'waiting', waiting_on: 'input' })).toBe(true);
  expect(asks({ state: 'ready' }, 'review')).toBe(true);
  expect(asks({ state: 'ready' })).toBe(false);
  expect(asks({ state: 'waiting', waiting_on: 'parents' })).toBe(false);
  expect(asks({ state: 'leased', lease: leaseUntil(at(9)) }, 'review')).toBe(false);
});

const column = (id: string): ColumnDetail => ({ id, role: 'work' }) as unknown as ColumnDetail;

function placed(...cards: readonly CardSummary[]): ReadonlyMap<string, Placed> {
  return new Map(cards.map((one, rank) => [one.id, { card: one, rank, sequence: 0 }]));
}

test('what is in work stands first, then what is stuck, then what is ready by priority and place, then what waits', () => {
  const cards = placed(
    card({ id: 'waits', state: 'waiting', waiting_on: 'parents' }),
    card({ id: 'second' }),
    card({ id: 'third' }),
    card({ id: 'first', priority: 9 }),
    card({ id: 'dead', state: 'dead' }),
    card({ id: 'held', state: 'leased', lease: leaseUntil(at(9)) }),
  );
  const [shown] = arrange([column('col_1')], cards, () => true);
  expect(shown?.cards.map(({ id }) => id)).toEqual(['held', 'dead', 'first', 'second', 'third', 'waits']);
});

test('a column in which nothing has changed is answered as the same object, so that it is not drawn anew', () => {
  const columns = [column('col_1'), column('col_2')];
  const cards = placed(card({ id: 'a' }), card({ id: 'b', column_id: 'col_2' }));
  const before = arrange(columns, cards, () => true);
  const after = arrange(
    columns,
    new Map(cards).set('b', { card: card({ id: 'b', column_id: 'col_2', rev: 2 }), rank: 1, sequence: 1 }),
    () => true,
    before,
  );
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});

test('lanes are by who has the card before whom it is for, nobody’s last', () => {
  const rows = laneRows(
    [
      card({ id: 'pool' }),
      card({ id: 'annas', assignee: 'anna' }),
      card({ id: 'held', assignee: 'anna', state: 'leased', lease: leaseUntil(at(9)) }),
    ],
    true,
  );
  expect(rows.map((row) => (row.kind === 'lane' ? `${row.name} ${row.count}` : row.card.id))).toEqual([
    'anna 1',
    'annas',
    'drafter-7 1',
    'held',
    'Unassigned 1',
    'pool',
  ]);
});

test('of two tellings the one with the later claim wins, then the later edit, then the later time', () => {
  expect(isNewer(card({ fence: 2 }), card({ fence: 1, rev: 9 }))).toBe(false);
  expect(isNewer(card({ rev: 2 }), card({ rev: 1, updated_at: at(9) }))).toBe(false);
  expect(isNewer(card({}), card({ updated_at: at(-61) }))).toBe(false);
  expect(isNewer(card({}), card({ updated_at: at(-59) }))).toBe(true);
});

test('a place between two cards has a rank between theirs, and at an end one beyond', () => {
  expect(rankBetween(1, 2)).toBe(1.5);
  expect(rankBetween(undefined, 2)).toBeLessThan(2);
  expect(rankBetween(1, undefined)).toBeGreaterThan(1);
});

test('durations have at most two parts', () => {
  expect([5, 65, 3_000, 3_720, 90_000].map(duration)).toEqual([
    '5 s',
    '1 min 5 s',
    '50 min',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});

test('every reason that the server gives has a heading of its own, and one that it may give some day is shown too', () => {
  const known = grouped(DIAGNOSTIC_CODES.map((code) => ({ code })));
  expect(known.map(({ title }) => title)).not.toContain('Other reasons');
  expect(known.flatMap(({ items }) => items.map(({ code }) => code)).toSorted()).toEqual(
    DIAGNOSTIC_CODES.toSorted(),
  );
  expect(grouped([{ code: 'moon_phase' }])).toEqual([
    { title: 'Other reasons', items: [{ code: 'moon_phase' }] },
  ]);
});
