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

/** Under a card: each comment, by the place of its event in the card's sequence. */
export const COMMENT_PREFIX = 'CMT#';
export const commentKey = (cardId: string, sequence: number): Key => ({
  pk: cardId,
  sk: COMMENT_PREFIX + digits(sequence, 9),
});
/** Under a card: each attachment, in the order in which they were made. */
export const ATTACHMENT_PREFIX = 'ATT#';
export const attachmentKey = (cardId: string, attachmentId: string): Key => ({
  pk: cardId,
  sk: ATTACHMENT_PREFIX + attachmentId,
});
/**
 * Under a card, and in the timed lane of its column: what must happen to it at a time, though the card itself is
 * not in that lane. `kind` is a word of its own for each thing that may happen.
 */
export const timerKey = (cardId: string, kind: string): Key => ({ pk: cardId, sk: `TIMER#${kind}` });

/** A link is two items: under the child which parent blocks it, and under the parent which child it blocks. */
export const PARENT_PREFIX = 'PARENT#';
export const CHILD_PREFIX = 'CHILD#';
export const parentEdgeKey = (childId: string, parentId: string): Key => ({
  pk: childId,
  sk: PARENT_PREFIX + parentId,
});
export const childEdgeKey = (parentId: string, childId: string): Key => ({
  pk: parentId,
  sk: CHILD_PREFIX + childId,
});
/** Among a new card's parents, after all of them: those whose items are still being written. */
export const pendingParentsKey = (childId: string): Key => ({ pk: childId, sk: `${PARENT_PREFIX}~` });
/** Under a board: the version that every link between two cards which were there before raises. */
export const linkVersionKey = (boardId: string): Key => ({ pk: boardId, sk: 'LINKS' });

/** Under a board: what came of a board or a column of somewhere else, by the id that it has there. */
export const IMPORT_PREFIX = 'IMPORT#';
export const importKey = (boardId: string, sourceId: string): Key => ({
  pk: boardId,
  sk: IMPORT_PREFIX + sourceId,
});

/** A graph: whether its staged cards are there yet. And the register of those that are not finished. */
export const graphKey = (graphId: string): Key => ({ pk: `GRAPH#${graphId}`, sk: 'GRAPH' });
export const GRAPHS_PK = 'GRAPHS';
export const graphEntryKey = (graphId: string): Key => ({ pk: GRAPHS_PK, sk: graphId });

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

/** When the lanes of a column could last be read, and whether its holders are awaited after an outage. */
export const pulseKey = (columnId: string): Key => ({ pk: columnId, sk: 'PULSE' });

/** Registers: what must be listed though no index holds it. */
export const BOARDS_PK = 'BOARDS';
export const boardEntryKey = (boardId: string): Key => ({ pk: BOARDS_PK, sk: boardId });
export const QUEUES_PK = 'QUEUES';
export const queueEntryKey = (columnId: string): Key => ({ pk: QUEUES_PK, sk: columnId });
/** Columns and boards on their way out, which the reaper sees off. */
export const GOING_PK = 'GOING';
export const goingKey = (id: string): Key => ({ pk: GOING_PK, sk: id });
/** Boards that do not keep everything. */
export const RETENTION_PK = 'RETENTION';
export const retentionKey = (boardId: string): Key => ({ pk: RETENTION_PK, sk: boardId });
export const TOKENS_PK = 'TOKENS';
export const tokenKey = (id: string): Key => ({ pk: TOKENS_PK, sk: id });
/** Requests of a token within one window, which ends then (ms). */
export const rateKey = (tokenId: string, end: number): Key => ({
  pk: `RATE#${tokenId}`,
  sk: digits(end, TIME_WIDTH),
});

/** Under its board: each webhook. Under the webhook: how its endpoint fares, and what was sent to it. */
export const WEBHOOK_PREFIX = 'WEBHOOK#';
export const webhookKey = (boardId: string, webhookId: string): Key => ({
  pk: boardId,
  sk: WEBHOOK_PREFIX + webhookId,
});
export const endpointKey = (webhookId: string): Key => ({ pk: webhookId, sk: 'ENDPOINT' });
/** By the time of its event, so that a list of deliveries is in order. */
export const DELIVERY_PREFIX = 'DLV#';
export const deliveryKey = (webhookId: string, at: number, eventId: string): Key => ({
  pk: webhookId,
  sk: `${DELIVERY_PREFIX}${digits(at, TIME_WIDTH)}#${eventId}`,
});
/** In the index of lanes: what is still to be delivered, by when it must be looked for. */
export const deliveryLane = (shard: number): string => `DELIVERIES#${digits(shard, 2)}`;
export const deliveryPos = (due: number): string => digits(due, TIME_WIDTH);

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

/** Ready and timed lanes of a column may be several, one a shard; the parked one, and every timer, is in the first. */
export const laneOf = (columnId: string, kind: LaneKind, shard = 0): string =>
  `${ulidOf(columnId)}#${digits(shard, 2)}#${kind}`;
export const kindOf = (lane: string): LaneKind => {
  const kind = lane.at(-1);
  return kind === 'R' || kind === 'T' ? kind : 'P';
};
/** The shard that a lane's name tells; the first for what is in no lane. */
export const shardIn = (lane: string | undefined): number => Number(lane?.split('#')[1] ?? 0);

/** The shard of a card, in a column that has so many: a hash of its id (FNV-1a), so that nothing is stored. */
export function shardOf(cardId: string, shards: number): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of cardId) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01_00_01_93);
  return ((hash ^ (hash >>> 16)) >>> 0) % shards;
}

/** Priority and rank as they sort: higher priority first. */
export const order = (priority: number, rank: string): string => `${9 - priority}#${rank}`;
const TIME_WIDTH = 13;
/**
 * The same for a column whose cards age: waiting long is worth priority, so both are one time, and the places of
 * priority and rank are taken by it.
 */
export const agedOrder = (readyAt: number, priority: number, agingMs: number): string =>
  order(9, digits(Math.max(0, Math.floor(readyAt - priority * agingMs)), TIME_WIDTH));
export const UNASSIGNED = '-';
const who = (assignee: string | undefined): string =>
  assignee === undefined ? UNASSIGNED : `@${encodeURIComponent(assignee)}`;

export const readyPrefix = (assignee: string | undefined): string => `${who(assignee)}#`;
export const readyPos = (assignee: string | undefined, tail: string): string => readyPrefix(assignee) + tail;

/** What a timed entry is about: a held card's alarm, a card that waits for a time, or a timer beside its card. */
export type TimedKind = 'h' | 'w' | 't';
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
/** Since when a card is done or archived, from its position. */
export const overSince = (pos: string): number => LAST_TIME - Number(pos.split('#')[1]);

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
  switch (kindOf(lane)) {
    case 'R': {
      const [name = '', level = '', rank = ''] = parts;
      return { lane: 'R', assigned: name !== UNASSIGNED, priority: 9 - Number(level), rank };
    }
    case 'T': {
      const [due = '', kind, level = '', rank = ''] = parts;
      if (kind !== 'h' && kind !== 'w' && kind !== 't') return null;
      return { lane: 'T', due: Number(due), kind, priority: 9 - Number(level), rank };
    }
    case 'P': {
      const kind = PARKED_BY_CODE.get(parts[0] ?? '');
      return kind === undefined ? null : { lane: 'P', kind };
    }
  }
}
