/** People at the board: they make cards and do everything to them that a person may, at any moment. */
import type { Caller, Engine } from '../../shared/engine.ts';
import type { CreateCardBody } from '../../shared/schemas/cards.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { assignCard } from '../../shared/verbs/assign-card.ts';
import { blockCard } from '../../shared/verbs/block-card.ts';
import { completeCard } from '../../shared/verbs/complete-card.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { createGraph } from '../../shared/verbs/create-graph.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reclaimCard } from '../../shared/verbs/reclaim-card.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { reopenReview } from '../../shared/verbs/reopen-review.ts';
import { requestCancel } from '../../shared/verbs/request-cancel.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { unblockCard } from '../../shared/verbs/unblock-card.ts';
import { unholdCard } from '../../shared/verbs/unhold-card.ts';
import { unlinkCards } from '../../shared/verbs/unlink-cards.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { Process } from './scheduler.ts';
import { newProcess, person, type Places, type SimulatedWorld } from './world.ts';

const reason = 'a person wants it so';
const force = { force: true, reason } as const;

type Act = readonly [verb: string, run: (engine: Engine, caller: Caller) => Promise<unknown>];

/** What a person may do to one card. */
function actsOn(card: string, world: SimulatedWorld, places: Places, chance: Chance): readonly Act[] {
  const other = chance.one(world.cards);
  const anywhere = chance.one([places.ready, places.ready, places.review, places.todo, places.done]);
  const forced = chance.yes(3) ? force : {};
  const soon = () => new Date(world.scheduler.now + chance.unit() * 10_000).toISOString();
  const named = chance.one([null, 'worker-0', 'worker-1']);
  return [
    ['patch', (e, c) => patchCard(e, c, { card, title: 'Another title', priority: chance.below(10) })],
    ['patch', (e, c) => patchCard(e, c, { card, scheduled_at: chance.yes(2) ? soon() : null })],
    ['patch', (e, c) => patchCard(e, c, { card, max_attempts: chance.one([null, 1, 4]), labels: ['a'] })],
    [
      'patch',
      (e, c) => patchCard(e, c, { card, draft: chance.yes(3), max_runtime_seconds: chance.one([null, 20]) }),
    ],
    ['patch', (e, c) => patchCard(e, c, { card, properties: { ok: true } })],
    ['move', (e, c) => moveCard(e, c, { card, column_id: anywhere, ...forced })],
    ['move', (e, c) => moveCard(e, c, { card, top: true })],
    ['assign', (e, c) => assignCard(e, c, { card, assignee: named, ...forced })],
    ['hold', (e, c) => holdCard(e, c, { card })],
    ['unhold', (e, c) => unholdCard(e, c, { card })],
    ['unhold', (e, c) => unholdCard(e, c, { card })],
    ['archive', (e, c) => archiveCard(e, c, { card, ...forced })],
    ['unarchive', (e, c) => unarchiveCard(e, c, { card })],
    ['delete', (e, c) => (chance.yes(4) ? deleteCard(e, c, { card, ...forced }) : getCard(e, c, { card }))],
    ['block', (e, c) => blockCard(e, c, { card, reason })],
    ['unblock', (e, c) => unblockCard(e, c, { card })],
    ['unblock', (e, c) => unblockCard(e, c, { card })],
    ['comment', (e, c) => createComment(e, c, { card, body: 'How is it going?' }, null)],
    ['reclaim', (e, c) => reclaimCard(e, c, { card, reason })],
    ['request-cancel', (e, c) => requestCancel(e, c, { card, reason })],
    ['reopen', (e, c) => reopenCard(e, c, { card, column_id: places.ready })],
    ['reopen-review', (e, c) => reopenReview(e, c, { card, reason })],
    ['redrive', (e, c) => redriveCard(e, c, { card })],
    ['redrive', (e, c) => redriveCard(e, c, { card })],
    ['promote', (e, c) => promoteCard(e, c, { card })],
    ['complete-card', (e, c) => completeCard(e, c, { card, summary: 'done by hand' })],
    ['link', (e, c) => linkCards(e, c, { card, child_id: other }, null)],
    ['unlink', (e, c) => unlinkCards(e, c, { card, child_id: other })],
    ['decompose', (e, c) => decomposeCard(e, c, { card, cards: [part(places)] }, null)],
    ['get', (e, c) => getCard(e, c, { card })],
  ];
}

const part = (places: Places) => ({ ref: 'part', title: 'A part of it', column_id: places.ready });

export async function actAsPerson(world: SimulatedWorld, places: Places, name: string): Promise<void> {
  const caller = person(name);
  const process = newProcess(name);
  const chance = chanceOf(seededRandom(`${world.seed}/${name}`));
  for (let number = 0; world.calmAt === 0; number += 1) {
    await world.scheduler.sleep(chance.unit() * world.planned.paceMs, process);
    if (world.cards.length === 0 || chance.yes(world.planned.people > 4 ? 40 : 6)) {
      await makeCard(world, places, process, { name, number, chance });
      continue;
    }
    const card = chance.one(world.cards);
    const [verb, run] = chance.one(actsOn(card, world, places, chance));
    await world.callers.call(process, { actor: name, verb, cardId: card }, (engine) => run(engine, caller));
  }
}

interface Maker {
  readonly name: string;
  readonly number: number;
  readonly chance: Chance;
}

/** Makes a card, or a small graph of them, with a key; repeated until it is known what became of it. */
export async function makeCard(
  world: SimulatedWorld,
  places: Places,
  process: Process,
  { name, number, chance }: Maker,
): Promise<void> {
  const caller = person(name);
  const key = `${name}-card-${number}`;
  const isGraph = chance.yes(10);
  const body = bodyBy(world, places, chance, key);
  const fingerprint = JSON.stringify(body);
  const asked = { actor: name, verb: isGraph ? 'create-graph' : 'create', key, fingerprint };
  const repeat = { key, route: asked.verb, fingerprint };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const heard = await world.callers.call(process, asked, async (engine): Promise<string[]> => {
      if (!isGraph)
        return [(await createCard(engine, caller, { board: places.board, ...body }, repeat)).value.id];
      const cards = ['a', 'b'].map((ref) => ({ ref, title: `Card ${ref}`, column_id: places.ready }));
      const links = [{ parent: 'a', child: 'b' }];
      const made = await createGraph(engine, caller, { board: places.board, cards, links }, repeat);
      return Object.values(made.value.cards);
    });
    if (heard.kind === 'ok') {
      const call = world.calls.findLast((each) => each.key === key && each.outcome === 'ok');
      const [first] = heard.value;
      if (call !== undefined && first !== undefined) call.created = first;
      for (const id of heard.value) if (!world.cards.includes(id)) world.cards.push(id);
      if (!chance.yes(8)) return;
    } else if (
      heard.kind === 'refused' &&
      heard.code !== 'throttled' &&
      heard.code !== 'idempotency_in_progress'
    ) {
      return;
    }
  }
}

function bodyBy(world: SimulatedWorld, places: Places, chance: Chance, title: string): CreateCardBody {
  const parents = chance.yes(5) && world.cards.length > 0 ? { parents: [chance.one(world.cards)] } : {};
  return {
    title,
    column_id: chance.one([places.ready, places.ready, places.ready, places.review, places.todo]),
    priority: chance.one([5, 5, 0, 9]),
    ...(chance.yes(8) ? { assignee: 'worker-0' } : {}),
    ...(chance.yes(8) ? { max_attempts: 2 } : {}),
    ...(chance.yes(8) ? { scheduled_at: new Date(world.scheduler.now + 5_000).toISOString() } : {}),
    ...(chance.yes(2) ? { properties: { ok: true } } : {}),
    ...(chance.yes(10) ? { body: 'x'.repeat(2_000) } : {}),
    ...(chance.yes(12) ? { dedupe_key: `same-${chance.below(3)}` } : {}),
    ...parents,
  };
}
