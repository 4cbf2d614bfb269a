/**
 * Every number of the engine: its name, its unit, its reason. Contract bounds live with the contract.
 */
import { DAY_MS, SECOND_MS } from './units.ts';

/** Idempotency records: clients retry within a day; TTL only tidies, the expiry stands in the condition. */
export const IDEMPOTENCY_MS = DAY_MS;

/** A tombstone tells a late worker that its card was deleted; after a month nobody asks. */
export const TOMBSTONE_MS = 30 * DAY_MS;

/** How long an instance remembers a contract or a board: a change is in force on every claimer within 2 s. */
export const CONTRACT_CACHE_MS = 2 * SECOND_MS;

/** How long an instance remembers a token: the time a revocation takes at most. */
export const TOKEN_CACHE_MS = 60 * SECOND_MS;

/** A lease asked shorter than this could not be renewed in time over a slow network. */
export const MIN_LEASE_SECONDS = 5;
export const MAX_LEASE_SECONDS = 43_200;

/** Beat three times a lease, so that two lost heartbeats in a row still leave it valid. */
export const BEATS_PER_LEASE = 3;

/** From this share of the lease's whole permitted life on, renew tells the worker to wrap up. */
export const WRAP_UP_SHARE = 0.9;

/**
 * The alarm of a held card stands on a grid of this share of its ttl. At three beats a lease the alarm is always
 * ahead of the next beat, and moves (two index units) only every 1.8 beats.
 */
export const ALARM_GRID = 0.6;

/** Attempts given back by release or rate limiting; bounded, so that a card cannot cycle for ever. */
export const MAX_REFUNDS = 20;

/** Least entries a claim reads of a lane: as cheap as one, since 25 entries of 150 bytes are half a read unit. */
export const LANE_PAGE = 25;
/** Shards that a claim reads before it knows whether they hold anything for it. */
export const SHARDS_PER_CLAIM = 2;
/** Widest window: 256 entries cost 5 read units, as much as a lost write; wider does not pay. */
export const WINDOW_MAX = 256;
/** Window after the first lost race, its growth per further loss and its shrinking per win. */
export const WINDOW_FIRST = 100;
export const WINDOW_GROWTH = 1.6;
export const WINDOW_DECAY = 0.97;
/** Below this width contention is over and the head is taken again, in strict order. */
export const WINDOW_CALM = 12;
/** Whole priority groups are candidates until there are this many: enough to spread, few to pass by. */
export const CANDIDATES = 64;
/** A reading begun beside the look-up of a token is good for the request that began it, and no later one. */
export const PREFETCH_MS = 500;
/** A filtered claim looks at this many entries. */
export const FILTER_WINDOW = 400;
/** Cards that this instance has seen taken are left out this long: the index lags behind. */
export const SEEN_TAKEN_MS = 10 * SECOND_MS;
/** Lost races in one call before the answer is `contended`. */
export const CLAIM_TRIES = 12;
/** Slots lost to other claims in one call before it gives way: the column is all but full. */
export const SLOT_TRIES = 3;
/** Mean pause before reading the lanes again after a lost race, times the losses so far. */
export const CLAIM_JITTER_MS = 8;
/** Due entries that a claim puts where they belong (another's, bad input, early alarms), per call. */
export const HOUSEKEEPING_PER_CALL = 5;
/** Cards whose input a claim reads again because the schema changed, per call. */
export const INPUT_CHECKS_PER_CALL = 10;
/** Busy slots that a claim verifies when none is free, at random. */
export const SLOTS_VERIFIED = 2;
/** A limit set while leases live: the adopting pass must begin this long after, beyond every cached contract. */
export const ADOPT_SETTLE_MS = 5 * SECOND_MS;

/** A column's pulse: left by claims and the reaper this often, or in short leases after this share of one. */
export const PULSE_EVERY_MS = 10 * SECOND_MS;
export const PULSE_SHARE = 0.25;
/** So many leases found ended at once may be an outage's doing; fewer are offered at once. */
export const OUTAGE_LEASES = 10;

/** Hint to an empty-handed poller: doubles per empty answer from 1 to 30 s, spread by a fifth either way. */
export const POLL_FIRST_SECONDS = 1;
export const POLL_MAX_SECONDS = 30;
export const POLL_JITTER = 0.2;
/** A long poll reads the lanes again after 250 ms, later every 2 s. */
export const WAIT_FIRST_MS = 250;
export const WAIT_STEP_MS = 2 * SECOND_MS;
export const WAIT_GROWTH = 1.5;

/** Conflicting transactions are tried again this often: a heartbeat must not be lost to a comment. */
export const CONFLICT_RETRIES = 5;
export const CONFLICT_JITTER_MS = 20;
/**
 * A verb that reads first decides anew this often when another writer came between. Each loss is another's
 * success, so as many who write one card at once all get through.
 */
export const DECIDE_RETRIES = 25;

/** Ranks longer than this are re-spaced together with their neighbours: each drop at one place adds to them. */
export const RANK_MAX = 24;
export const RESPACE_NEIGHBOURS = 100;

/** Body up to this size stays inside CARD; a longer one is an item of its own, out of the cards' lists. */
export const INLINE_BODY_BYTES = 1_024;

/**
 * A column or a board going away is removed once nothing of it was found for this long: beyond every remembered
 * contract and what the indexes lag behind.
 */
export const GOING_SETTLE_MS = 60 * SECOND_MS;
/** Cards that are put right, moved or removed side by side by one step of the reaper or of a PUT. */
export const STEP_CARDS = 25;
/** A PUT that makes or ends a queue puts its cards right itself for this long; the reaper does the rest. */
export const SETTLE_BUDGET_MS = 10 * SECOND_MS;

/** Parents of a card that are read at a time, until one is open. */
export const PARENT_PAGE = 25;
/** Children that one call looks at when their parent is done; those left over are the timer's. */
export const CHILDREN_PER_LOOK = 25;
/** A timer rings this long after the call that should have looked at the children itself. */
export const CHILDREN_GRACE_MS = 3 * SECOND_MS;
/** Whoever rings a timer has this long before another may; it dies rarely, and then the rest waits no longer. */
export const TIMER_TAKEN_MS = 5 * SECOND_MS;
/** A batch of the stream's share of waking: 500 children are a second or two of it. The timer goes on with the rest. */
export const WAKE_BUDGET_MS = 10 * SECOND_MS;
/** A timer that somebody else rang meanwhile is read again this often. */
export const WAKE_TRIES = 5;
/** Parents whose edges go into the creating transaction, two items each; more follow in transactions of their own. */
export const PARENTS_AT_ONCE = 24;
/** Cards that a new link looks at on its way up, for a cycle: past them it is refused, since nobody could tell. */
export const ANCESTORS_MAX = 1_000;
/** Cards of a walk that are read side by side. */
export const WALK_WIDTH = 16;

/** Parents whose hand-offs a card's context reads: a run may be 250 KB, and the context shows a few of them whole. */
export const HAND_OFFS_MAX = 50;
/** Cards that the frontier shows; it counts those behind them too, as far as a column's window reaches. */
export const FRONTIER_ITEMS = 200;
/** Writes of a graph that are under way at once. */
export const GRAPH_WIDTH = 8;
/** Cards outside a graph that it may come to block: they are written in its commit, which is one transaction. */
export const GRAPH_CHILDREN_MAX = 24;
/** No request lives this long: what staged a graph and has not committed it by then is dead, or gives up. */
export const GRAPH_STALE_MS = 60 * SECOND_MS;
/** A graph that is still open then is aborted by whoever meets it. */
export const GRAPH_ABORT_MS = 900 * SECOND_MS;
/** A committed graph is kept as long as its request may be repeated, and some; one of a decomposed card for good. */
export const GRAPH_KEPT_MS = 7 * DAY_MS;

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 100;
/** Answers stay under 5 MB: Lambda ends at 6,291,556 bytes, base64 included. */
export const ANSWER_BYTES = 4_500_000;
/** Cards counted per state and column before the count says `capped`. */
export const COUNT_CAP = 1_000;
/** Index entries that one page of a list looks at: past this a page ends short, and its cursor goes on. */
export const LIST_ENTRIES = 500;
/** Rows of a batch that are at work at once: the table's sockets and a card's writers are shared with others. */
export const BATCH_WIDTH = 10;
/** The newest cards that a text search looks at. */
export const SEARCH_DEPTH = 2_000;

/** The reaper's share of its minute, leaving the rest to start and to end. */
export const REAPER_BUDGET_MS = 50 * SECOND_MS;
/** Cards that one reaper run may re-check against a changed input schema. */
export const REAPER_INPUT_CHECKS = 1_000;
/**
 * Cards of a column that one reaper run moves to another shard, some 25 at a time and three write units each: the
 * lanes that are re-sharded are also claimed from, and share an index partition's thousand units a second.
 */
export const REAPER_MOVES = 5_000;
/** Due entries read at a time. */
export const REAPER_PAGE = 100;

/**
 * How long events are kept, in the log under their card and in the feed, unless their board says otherwise: a
 * receiver that was away for a month still catches up.
 */
export const EVENT_RETENTION_MS = 30 * DAY_MS;
/** An event's text: under the 20 KB that receivers of webhooks take, and ten of them in one call to the bus. */
export const EVENT_BYTES = 20_000;
/** Of a summary or an error an event carries its first line, cut to this many characters. */
export const EVENT_LINE_CHARACTERS = 400;
/** Items of one stream batch that are written side by side. */
export const FAN_OUT_WIDTH = 16;
/** Events on one page of the feed: 100 of them are 5 KB. */
export const FEED_PAGE_EVENTS = 100;
/** Page numbers are given out in lots: the note of how far they are given out costs a write per lot. */
export const FEED_NUMBER_LOT = 64;
/** Places lost to other fan-outs of the same board before the batch is given back, to come again. */
export const FEED_TRIES = 50;
/** Pages searched for an event that came again; past them it is fed again, with the same id. */
export const FEED_SEARCH_PAGES = 1_000;
/** Pages that one reading of the feed looks at: past them it ends short, and its cursor goes on. */
export const FEED_PAGES_PER_READ = 50;
/**
 * A board's `events_cursor` is that of so long ago: beyond what the indexes lag behind, so that whoever shows the
 * board and then follows its events misses nothing.
 */
export const FEED_OVERLAP_MS = 30 * SECOND_MS;

/** Tries of an entry that the bus refuses, and the mean pause between them, doubled each time. */
export const BUS_TRIES = 4;
export const BUS_JITTER_MS = 50;

/**
 * A card's context in bytes of UTF-8: each text by its own bound, each section by its share. All of it together
 * stays under 128 KB, some 32,000 tokens, and ten of them under what a batch claim may answer.
 */
export const CONTEXT = {
  bodyBytes: 16_384,
  /** Attempts and comments that are read, the newest. */
  attempts: 10,
  comments: 30,
  /** Of an attempt: its summary, its error, its metadata. */
  fieldBytes: 4_096,
  commentBytes: 2_048,
  /** A parent's summary is handed on whole; metadata too, unless it is longer than this. */
  handOffBytes: 16_384,
  parentsBytes: 32_768,
  attemptsBytes: 24_576,
  commentsBytes: 24_576,
  attachmentsBytes: 8_192,
} as const;

/** Field sizes in bytes of UTF-8, but where said. */
export const LIMITS = {
  requestBytes: 1_048_576,
  titleCharacters: 500,
  bodyBytes: 204_800,
  propertiesBytes: 65_536,
  tenantBytes: 64,
  assigneeBytes: 64,
  labels: 10,
  skills: 5,
  tagBytes: 32,
  reasonBytes: 1_000,
  reasonShownBytes: 100,
  noteBytes: 200,
  checkpointBytes: 8_192,
  outputBytes: 204_800,
  metadataBytes: 32_768,
  summaryBytes: 8_192,
  commentBytes: 65_536,
  dedupeKeyBytes: 255,
  /** Names of models and workflow steps, and the words of a search. */
  modelNameBytes: 128,
  searchBytes: 200,
  nameCharacters: 100,
  /** Who did it, on events and cards: as long as an agent's name may be; a token's name is cut to it. */
  actorBytes: 128,
  descriptionBytes: 2_000,
  iconBytes: 64,
  /** Parents of a card; they are read until one is open. */
  parents: 500,
  /** Links of one card that an answer shows, to each side. */
  linksShown: 1_000,
  graphCards: 500,
  graphLinks: 1_000,
  refCharacters: 64,
  swarmWorkers: 100,
  columnsPerBoard: 50,
  /** All contracts of a board, which are answered with it. */
  boardContractsBytes: 3_145_728,
  batch: 100,
  claimBatch: 10,
} as const;
