/** The table of docs/events.md, row by row, against what the verbs do on a real table and its stream. */
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { s3Bucket } from '../../shared/aws/s3-bucket.ts';
import type { Deps } from '../../shared/deps.ts';
import { EVENT_TYPES, EVENTS, isEventType, type EventType } from '../../shared/events/types.ts';
import { blockCard } from '../../shared/verbs/block-card.ts';
import { blockLease } from '../../shared/verbs/block-lease.ts';
import { CreateAttachmentBody } from '../../shared/schemas/attachments.ts';
import { CreateGraphBody, DecomposeCardBody } from '../../shared/schemas/graphs.ts';
import { createAttachment } from '../../shared/verbs/create-attachment.ts';
import { createGraph } from '../../shared/verbs/create-graph.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { completeCard } from '../../shared/verbs/complete-card.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reopenReview } from '../../shared/verbs/reopen-review.ts';
import { requestChanges } from '../../shared/verbs/request-changes.ts';
import { requestReview } from '../../shared/verbs/request-review.ts';
import { unblockCard } from '../../shared/verbs/unblock-card.ts';
import { DEFAULT_CONTRACT } from '../../shared/contract/settings.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { createColumn } from '../../shared/verbs/create-column.ts';
import { exportBoard } from '../../shared/verbs/export-board.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { deleteColumn } from '../../shared/verbs/delete-column.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reclaimCard } from '../../shared/verbs/reclaim-card.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { requestCancel } from '../../shared/verbs/request-cancel.ts';
import { importBoard } from '../../shared/verbs/import-board.ts';
import { restoreBoard } from '../../shared/verbs/restore-board.ts';
import { resumeColumn } from '../../shared/verbs/resume-column.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { unholdCard } from '../../shared/verbs/unhold-card.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { updateColumn } from '../../shared/verbs/update-column.ts';
import type { CardView } from '../../shared/views/card.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import { makeBoard } from '../boards/support/board.ts';
import { makeDesk, made, setContract, type Desk } from '../cards/support/cards.ts';
import { childOf, finish, link, unlink } from '../links/support/links.ts';
import { complete, fail, mustClaim, release, renew } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, typesOf } from './support/follow.ts';

vi.setConfig({ testTimeout: 120_000 });

const DOCUMENT = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
const ROWS = new Map(
  [...DOCUMENT.matchAll(/^\| (?!What happens|---)([^|]+?) \|([^|]*)\|$/gm)].map(
    ([, what = '', events = '']) => [
      what.trim(),
      [...events.matchAll(/`([a-z_.]+)`/g)].map(([, type = '']) => type),
    ],
  ),
);

/** Signs addresses to upload to, which nobody does. */
const nowhere = (deps: Deps) =>
  s3Bucket({
    url: 'http://127.0.0.1:9/attachments',
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    deps,
  });

/** A board, a card in its queue, and what verbs do to them. `begin` says that what follows is the row's. */
class Scene {
  readonly world: World;
  readonly desk: Desk;
  readonly begin: () => Promise<void>;

  constructor(world: World, desk: Desk, begin: () => Promise<void>) {
    this.world = world;
    this.desk = desk;
    this.begin = begin;
  }

  get column() {
    return { board: this.desk.board.id, column: this.desk.ready };
  }

  async card(body: object = {}): Promise<CardView> {
    return made(this.world, this.desk, body);
  }

  async held(more: object = {}): Promise<ClaimView & { id: string }> {
    const { id } = await this.card();
    return { id, ...(await mustClaim(this.world.main, this.worker, this.desk.queue, more)) };
  }

  get worker() {
    return this.world.agent('worker-1');
  }
}

type Play = (scene: Scene) => Promise<unknown>;

/** One verb on a card in the queue. */
const onCard =
  (
    verb: (world: World, card: string, desk: Desk) => Promise<unknown>,
    body: (desk: Desk) => object = () => ({}),
  ): Play =>
  async (scene) => {
    const { id } = await scene.card(body(scene.desk));
    await scene.begin();
    await verb(scene.world, id, scene.desk);
  };

const leaseOf = ({ lease_id, lease_token }: Pick<ClaimView, 'lease_id' | 'lease_token'>) => ({
  lease: lease_id,
  lease_token,
});

const inDone = ({ done }: Desk) => ({ column_id: done });

/** One verb on a card that a worker holds. */
const onHeld =
  (verb: (scene: Scene, held: ClaimView & { id: string }) => Promise<unknown>): Play =>
  async (scene) => {
    const held = await scene.held();
    await scene.begin();
    await verb(scene, held);
  };

const onBoard =
  (verb: (world: World, desk: Desk) => Promise<unknown>): Play =>
  async ({ world, desk, begin }) => {
    await begin();
    await verb(world, desk);
  };

const EXPIRY_MS = 6_000;
const expired: (last: boolean) => Play = (last) => async (scene) => {
  const { world } = scene;
  if (last) await setContract(world, scene.desk.board, { max_attempts: 1 });
  await scene.held({ lease_ttl_seconds: 5 });
  world.clock.advance(EXPIRY_MS);
  await scene.begin();
  await reap(world.main, world.clock.now() + EXPIRY_MS);
};

const PLAYS: Readonly<Record<string, Play>> = {
  'A card is created': async (scene) => {
    await scene.begin();
    await scene.card();
  },
  'A card is created in another’s stead (same dedupe key)': async (scene) => {
    await scene.card({ dedupe_key: 'nightly' });
    await scene.begin();
    await scene.card({ dedupe_key: 'nightly' });
  },
  'A ready card is claimed': async (scene) => {
    await scene.card();
    await scene.begin();
    await mustClaim(scene.world.main, scene.worker, scene.desk.queue);
  },
  'A card is claimed by name': onCard((world, card) =>
    claimCard(world.main, world.agent('worker-1'), { card }, null),
  ),
  'A card is taken over from its holder': onHeld(({ world }, { id }) =>
    claimCard(
      world.main,
      world.person('ann', { agent: 'ann' }),
      { card: id, takeover: true, reason: 'it is urgent' },
      null,
    ),
  ),
  'A claim supersedes an expired lease': async (scene) => {
    await scene.held({ lease_ttl_seconds: 5 });
    scene.world.clock.advance(EXPIRY_MS);
    await scene.begin();
    await mustClaim(scene.world.main, scene.world.agent('worker-2'), scene.desk.queue);
  },
  'A lease is renewed': onHeld((scene, held) => renew(scene.world.main, scene.worker, held)),
  'An expired lease that nobody took is renewed by its holder': async (scene) => {
    const { world } = scene;
    const held = await scene.held({ lease_ttl_seconds: 5 });
    world.clock.advance(EXPIRY_MS);
    await reap(world.main, world.clock.now() + EXPIRY_MS);
    await scene.begin();
    await renew(world.main, scene.worker, held);
  },
  'A lease is completed, the move to the next column included': onHeld((scene, held) =>
    complete(scene.world.main, scene.worker, held),
  ),
  'A lease fails with attempts left': onHeld((scene, held) => fail(scene.world.main, scene.worker, held)),
  'A lease fails for the last time': onHeld((scene, held) =>
    fail(scene.world.main, scene.worker, held, { retryable: false }),
  ),
  'A lease is released': onHeld((scene, held) => release(scene.world.main, scene.worker, held)),
  'A lease expires, seen by the reaper': expired(false),
  'A lease expires with its last attempt': expired(true),
  'A lease reaches its longest life': async (scene) => {
    const { world } = scene;
    await setContract(world, scene.desk.board, { max_runtime_seconds: 60 });
    world.clock.advance(EXPIRY_MS);
    await scene.held({ lease_ttl_seconds: 60 });
    world.clock.advance(61_000);
    await scene.begin();
    await reap(world.main, world.clock.now() + EXPIRY_MS);
  },
  'A holder is asked to stop': onHeld(({ world }, { id }) =>
    requestCancel(world.main, world.admin, { card: id, reason: 'it is wrong' }),
  ),
  'A lease is reclaimed': onHeld(({ world }, { id }) =>
    reclaimCard(world.main, world.admin, { card: id, reason: 'it hangs' }),
  ),
  'Title, text, properties, labels or times are changed': onCard((world, card) =>
    patchCard(world.main, world.admin, {
      card,
      title: 'Another',
      body: 'text',
      properties: { a: 1 },
      labels: ['x'],
      scheduled_at: '2027-01-01T00:00:00.000Z',
    }),
  ),
  'The priority is changed': onCard((world, card) =>
    patchCard(world.main, world.admin, { card, priority: 9 }),
  ),
  'The assignee is changed': onCard((world, card) =>
    patchCard(world.main, world.admin, { card, assignee: 'ann' }),
  ),
  'Everything is changed at once': onCard((world, card) =>
    patchCard(world.main, world.admin, { card, title: 'Another', priority: 9, assignee: 'ann', hold: true }),
  ),
  'A change that changes nothing': onCard((world, card) =>
    patchCard(world.main, world.admin, { card, title: 'A card' }),
  ),
  'A card is held': onCard((world, card) => holdCard(world.main, world.admin, { card })),
  'A card is let go': onCard(
    (world, card) => unholdCard(world.main, world.admin, { card }),
    () => ({ hold: true }),
  ),
  'A card is moved': onCard((world, card, desk) =>
    moveCard(world.main, world.admin, { card, column_id: desk.review }),
  ),
  'A held card is moved by force': onHeld(({ world, desk }, { id }) =>
    moveCard(world.main, world.admin, { card: id, column_id: desk.review, force: true, reason: 'mine' }),
  ),
  'A card is moved out of done': onCard(
    (world, card, desk) => moveCard(world.main, world.admin, { card, column_id: desk.todo }),
    inDone,
  ),
  'A card is reopened': onCard((world, card) => reopenCard(world.main, world.admin, { card }), inDone),
  'A dead card is redriven': async (scene) => {
    const { world } = scene;
    const held = await scene.held();
    await fail(world.main, scene.worker, held, { retryable: false });
    await scene.begin();
    await redriveCard(world.main, world.admin, { card: held.id });
  },
  'A card is commented on': onCard((world, card) =>
    createComment(world.main, world.admin, { card, body: 'Look here.' }, null),
  ),
  'A worker blocks its card': onHeld(({ world, worker }, held) =>
    blockLease(world.main, worker, { ...leaseOf(held), kind: 'needs_input', reason: 'which one?' }),
  ),
  'A person blocks a card': onCard((world, card) =>
    blockCard(world.main, world.admin, { card, kind: 'needs_input', reason: 'which one?' }),
  ),
  'A card is blocked for the same kind of reason too often': async (scene) => {
    const { world } = scene;
    const { id: card } = await scene.card();
    const block = async () =>
      blockCard(world.main, world.admin, { card, kind: 'needs_input', reason: 'which one?' });
    for (let times = 0; times < DEFAULT_CONTRACT.block_recurrence_limit; times += 1) {
      await block();
      await unblockCard(world.main, world.admin, { card });
    }
    await scene.begin();
    await block();
  },
  'A card is unblocked': async (scene) => {
    const { world } = scene;
    const { id: card } = await scene.card();
    await blockCard(world.main, world.admin, { card, reason: 'which one?' });
    await scene.begin();
    await unblockCard(world.main, world.admin, { card });
  },
  'A worker asks for a review': onHeld(({ world, worker }, held) =>
    requestReview(world.main, worker, { ...leaseOf(held), summary: 'please look' }),
  ),
  'A reviewer asks for changes': async (scene) => {
    const { world, desk } = scene;
    const { board, review: column } = desk;
    await putContract(world.main, world.admin, { board: board.id, column, contract: { enabled: true } });
    world.clock.advance(EXPIRY_MS);
    const held = await scene.held();
    await requestReview(world.main, scene.worker, { ...leaseOf(held), summary: 'please look' });
    const reviewer = world.agent('reviewer-1');
    const { value } = await claimCard(world.main, reviewer, { card: held.id }, null);
    await scene.begin();
    await requestChanges(world.main, reviewer, { ...leaseOf(value), reason: 'not yet' });
  },
  'A person sends a card in review back': async (scene) => {
    const held = await scene.held();
    await requestReview(scene.world.main, scene.worker, { ...leaseOf(held), summary: 'please look' });
    await scene.begin();
    await reopenReview(scene.world.main, scene.world.admin, { card: held.id, reason: 'not yet' });
  },
  'A card is completed by hand': onCard((world, card) => completeCard(world.main, world.admin, { card })),
  'A card is promoted from elsewhere': onCard(
    (world, card) => promoteCard(world.main, world.admin, { card }),
    ({ todo }) => ({ column_id: todo }),
  ),
  'The last open parent of a card is done': async (scene) => {
    const { world, desk } = scene;
    const parent = await scene.card({ column_id: desk.todo });
    await childOf(world, desk, [parent]);
    await scene.begin();
    await finish(world, desk, parent);
  },
  'A done parent of a card is reopened': async (scene) => {
    const { world, desk } = scene;
    const parent = await scene.card({ column_id: desk.todo });
    await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await scene.begin();
    await reopenCard(world.main, world.admin, { card: parent.id });
  },
  'A card is linked under an open parent': async (scene) => {
    const { world, desk } = scene;
    const [parent, child] = [await scene.card({ column_id: desk.todo }), await scene.card()];
    await scene.begin();
    await link(world, parent, child);
  },
  'The link to its last open parent is taken away': async (scene) => {
    const { world, desk } = scene;
    const parent = await scene.card({ column_id: desk.todo });
    const child = await childOf(world, desk, [parent]);
    await scene.begin();
    await unlink(world, parent, child);
  },
  'A worker blocks its card for want of its parents': async (scene) => {
    const { world, desk } = scene;
    const held = await scene.held();
    const parent = await scene.card({ column_id: desk.todo });
    const { main } = world;
    const { lease_token } = held;
    await linkCards(main, scene.worker, { card: held.id, parent_id: parent.id, lease_token }, null);
    await scene.begin();
    await blockLease(main, scene.worker, { ...leaseOf(held), kind: 'dependency', reason: 'waits' });
  },
  'A graph of two cards is created': onBoard((world, { board, ready }) =>
    createGraph(
      world.main,
      world.admin,
      {
        board: board.id,
        ...CreateGraphBody.parse({
          cards: ['a', 'b'].map((ref) => ({ ref, title: ref, column_id: ready })),
          links: [{ parent: 'a', child: 'b' }],
        }),
      },
      null,
    ),
  ),
  'A card is broken down into one': onCard((world, card) =>
    decomposeCard(
      world.main,
      world.admin,
      { card, ...DecomposeCardBody.parse({ cards: [{ ref: 'a', title: 'a' }] }) },
      null,
    ),
  ),
  'A file is attached to a card': onCard((world, card) => {
    const file = CreateAttachmentBody.parse({ name: 'a.txt', content_type: 'text/plain', size: 4 });
    return createAttachment(world.main, world.admin, { card, ...file }, null);
  }),
  'A card is archived': onCard((world, card) => archiveCard(world.main, world.admin, { card })),
  'A card is unarchived': async (scene) => {
    const { id: card } = await scene.card();
    await archiveCard(scene.world.main, scene.world.admin, { card });
    await scene.begin();
    await unarchiveCard(scene.world.main, scene.world.admin, { card });
  },
  'A card is deleted': onCard((world, card) => deleteCard(world.main, world.admin, { card })),
  'A held card is deleted by force': onHeld(({ world }, { id }) =>
    deleteCard(world.main, world.admin, { card: id, force: true, reason: 'gone' }),
  ),
  'A board is created': onBoard((world) => makeBoard(world)),
  'A board is changed': onBoard((world, { board }) =>
    updateBoard(world.main, world.admin, { board: board.id, name: 'Another' }),
  ),
  'A board is archived': onBoard((world, { board }) =>
    archiveBoard(world.main, world.admin, { board: board.id }),
  ),
  'A board is restored': async ({ world, desk, begin }) => {
    const board = desk.board.id;
    await archiveBoard(world.main, world.admin, { board });
    await begin();
    await restoreBoard(world.main, world.admin, { board });
  },
  'A board is deleted for good': onBoard((world, { board }) =>
    deleteBoard(world.main, world.admin, { board: board.id }),
  ),
  'A card with its comments is imported': async ({ world, desk, begin }) => {
    const card = await made(world, desk);
    await createComment(world.main, world.admin, { card: card.id, body: 'Said before' }, null);
    const { items: rows } = await exportBoard(world.main, world.admin, { board: desk.board.id, limit: 100 });
    const onto = await makeDesk(world);
    await begin();
    await importBoard(world.main, world.admin, { board: onto.board.id, rows }, null);
  },
  'A column is created': onBoard((world, { board }) =>
    createColumn(world.main, world.admin, { board: board.id, name: 'More' }, null),
  ),
  'A column is changed': onBoard((world, { board, ready: column }) =>
    updateColumn(world.main, world.admin, { board: board.id, column, name: 'Renamed' }),
  ),
  'A column is deleted': onBoard((world, { board, review: column }) =>
    deleteColumn(world.main, world.admin, { board: board.id, column }),
  ),
  'A contract is put': onBoard((world, { board, ready: column }) =>
    putContract(world.main, world.admin, { board: board.id, column, contract: { enabled: true } }),
  ),
  'A queue is paused': async ({ world, column, begin }) => {
    await begin();
    await pauseColumn(world.main, world.admin, column);
  },
  'A queue is paused again': async ({ world, column, begin }) => {
    await pauseColumn(world.main, world.admin, column);
    await begin();
    await pauseColumn(world.main, world.admin, column);
  },
  'A queue is resumed': async ({ world, column, begin }) => {
    await pauseColumn(world.main, world.admin, column);
    await begin();
    await resumeColumn(world.main, world.admin, column);
  },
};

const quoted = (what: string): string => what.replaceAll("'", '’');

describe('the table in the documentation', () => {
  test('has a row for what is played here, and nothing else', () => {
    expect([...ROWS.keys()].map(quoted)).toEqual(Object.keys(PLAYS));
  });

  test('names every type, but for the two that the sender makes', () => {
    const named = new Set([...ROWS.values()].flat());
    const rest = EVENT_TYPES.filter((type) => !named.has(type));
    expect(rest).toEqual(['webhook.failing', 'webhook.disabled']);
  });

  test('names types that exist', () => {
    expect([...ROWS.values()].flat().filter((type) => !isEventType(type))).toEqual([]);
  });
});

test.each([...ROWS])('%s', async (what, types) => {
  const world = await createWorld({ stream: true, bucketOf: nowhere });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  let began = 0;
  const scene = new Scene(world, desk, async () => {
    await follower.pump();
    began = follower.sent.length;
  });
  const play = PLAYS[quoted(what)];
  if (play === undefined) throw new Error(`Nothing is played for: ${what}`);
  await play(scene);
  await follower.pump();

  const events = follower.sent.slice(began);
  expect(typesOf(events)).toEqual(types);
  const subjects = events.map(({ cardId }) => (cardId === null ? 'board' : 'card'));
  expect(subjects).toEqual(types.map((type) => EVENTS[type as EventType].of));
});
