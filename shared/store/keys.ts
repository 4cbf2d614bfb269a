/**
 * Every key of the table, built here and nowhere else. User text in a key is hashed or percent-encoded, so that
 * no name can reach another's items.
 */
import { createHash } from 'node:crypto';
import { ulidOf } from '../ids.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');
const hash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Under a card: what verbs decide on, what people read, the long text, and one item per attempt. */
export const jobKey = (cardId: string): Key => ({ pk: cardId, sk: 'JOB' });
export const cardKey = (cardId: string): Key => ({ pk: cardId, sk: 'CARD' });
export const bodyKey = (cardId: string): Key => ({ pk: cardId, sk: 'BODY' });
export const RUN_PREFIX = 'RUN#';
export const runKey = (cardId: string, run: number): Key => ({ pk: cardId, sk: RUN_PREFIX + digits(run, 9) });

/** Under a card or a board: each of its events, by its place in the sequence. */
export const EVENT_PREFIX = 'EVT#';
export const eventKey = (subjectId: string, sequence: number): Key => ({
  pk: subjectId,
  sk: EVENT_PREFIX + digits(sequence, 9),
});
/** The feed of a board: pages of event ids, numbered without a gap. */
export const feedPk = (boardId: string): string => `FEED#${boardId}`;
export const feedPageKey = (boardId: string, number: number): Key => ({
  pk: feedPk(boardId),
  sk: digits(number, 12),
});
export const feedPageNumber = (key: Key): number => Number(key.sk);
/** Page numbers that are given out: what is left of the feed when all its pages have expired. */
export const feedHeadKey = (boardId: string): Key => ({ pk: boardId, sk: 'FEED' });

export const boardKey = (boardId: string): Key => ({ pk: boardId, sk: 'BOARD' });
/** The counter behind `BUG-12`: outside every transaction, where each create would conflict with each other. */
export const numberKey = (boardId: string): Key => ({ pk: boardId, sk: 'NUMBER' });
export const slugKey = (slug: string): Key => ({ pk: `SLUG#${slug}`, sk: 'SLUG' });
export const columnKey = (columnId: string): Key => ({ pk: columnId, sk: 'COLUMN' });

/** Registers: what must be listed though no index holds it. */
export const BOARDS_PK = 'BOARDS';
export const boardEntryKey = (boardId: string): Key => ({ pk: BOARDS_PK, sk: boardId });
export const QUEUES_PK = 'QUEUES';
export const queueEntryKey = (columnId: string): Key => ({ pk: QUEUES_PK, sk: columnId });
/** Columns and boards on their way out, which the reaper sees off. */
export const GOING_PK = 'GOING';
export const goingKey = (id: string): Key => ({ pk: GOING_PK, sk: id });
export const TOKENS_PK = 'TOKENS';
export const tokenKey = (id: string): Key => ({ pk: TOKENS_PK, sk: id });

export const slotsPk = (scope: string): string => `SLOT#${scope}`;
export const slotKey = (scope: string, number: number): Key => ({
  pk: slotsPk(scope),
  sk: digits(number, 5),
});
export const slotNumber = (key: Key): number => Number(key.sk);

/** One record per token, route and key: the same key on another route is another request. */
export const idempotencyKey = (tokenId: string, route: string, key: string): Key => ({
  pk: `IDEM#${hash(tokenId, route, key)}`,
  sk: 'IDEM',
});
export const dedupeKey = (boardId: string, key: string): Key => ({
  pk: `DEDUPE#${hash(boardId, key)}`,
  sk: 'DEDUPE',
});

export type LaneKind = 'R' | 'T' | 'P';

/** The shard of an unsharded column; the place is kept so that sharding changes no stored key's shape. */
const SHARD = '00';
export const laneOf = (columnId: string, kind: LaneKind): string => `${ulidOf(columnId)}#${SHARD}#${kind}`;

/** Priority and rank as they sort: higher priority first. */
export const order = (priority: number, rank: string): string => `${9 - priority}#${rank}`;
export const UNASSIGNED = '-';
const who = (assignee: string | undefined): string =>
  assignee === undefined ? UNASSIGNED : `@${encodeURIComponent(assignee)}`;

export const readyPrefix = (assignee: string | undefined): string => `${who(assignee)}#`;
export const readyPos = (assignee: string | undefined, tail: string): string => readyPrefix(assignee) + tail;

/** What a timed entry is about: a held card's alarm, or a card that waits for a time. */
export type TimedKind = 'h' | 'w';
const TIME_WIDTH = 13;
const LAST_TIME = 9_999_999_999_999;
export const timedPos = (due: number, kind: TimedKind, tail: string): string =>
  `${digits(Math.max(0, Math.floor(due)), TIME_WIDTH)}#${kind}#${tail}`;
/** Upper end of the entries due at `now`, for a range that includes the millisecond itself. */
export const dueUntil = (now: number): string => `${digits(Math.floor(now), TIME_WIDTH)}#~`;

/** Order of the parked lane: what a drained claim must tell apart comes first, what is finished last. */
export const PARKED = {
  blocked: 'a',
  parents: 'b',
  input: 'c',
  hold: 'd',
  draft: 'e',
  container: 'f',
  dead: 'g',
  idle: 'h',
  done: 'i',
  archived: 'j',
} as const;
export type ParkedKind = keyof typeof PARKED;
export const parkedPrefix = (kind: ParkedKind): string => `${PARKED[kind]}#`;
export const parkedPos = (kind: ParkedKind, tail: string): string => parkedPrefix(kind) + tail;
/** Latest first, for what is done. */
export const latestFirst = (at: number): string => digits(LAST_TIME - at, TIME_WIDTH);

/** Time key of the index of a board's cards by age. */
export const createdKey = (at: number): string => digits(at, TIME_WIDTH);

const PARKED_BY_CODE = new Map<string, ParkedKind>();
for (const [kind, code] of Object.entries(PARKED)) PARKED_BY_CODE.set(code, kind as ParkedKind);

/** What a lane entry's position says; `null` for one that this version does not know. */
export type Position =
  | { lane: 'R'; assigned: boolean; priority: number; rank: string }
  | { lane: 'T'; due: number; kind: TimedKind; priority: number; rank: string }
  | { lane: 'P'; kind: ParkedKind };

export function parsePosition(lane: string, pos: string): Position | null {
  const parts = pos.split('#');
  switch (lane.at(-1)) {
    case 'R': {
      const [name = '', level = '', rank = ''] = parts;
      return { lane: 'R', assigned: name !== UNASSIGNED, priority: 9 - Number(level), rank };
    }
    case 'T': {
      const [due = '', kind, level = '', rank = ''] = parts;
      if (kind !== 'h' && kind !== 'w') return null;
      return { lane: 'T', due: Number(due), kind, priority: 9 - Number(level), rank };
    }
    default: {
      const kind = PARKED_BY_CODE.get(parts[0] ?? '');
      return kind === undefined ? null : { lane: 'P', kind };
    }
  }
}
