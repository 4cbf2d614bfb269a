/**
 * A worker and admin of another board, who has learned the ids of everything here and every lease's token, and tries
 * them all.
 */
import type { Caller, Engine } from '../../shared/engine.ts';
import { leaseId } from '../../shared/ids.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { failLease } from '../../shared/verbs/fail-lease.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { releaseLease } from '../../shared/verbs/release-lease.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { GivenLease } from './recording.ts';
import { agent, newProcess, type Places, type SimulatedWorld } from './world.ts';

const PACE_MS = 2_000;
const OTHER_BOARD = 'brd_01KJPWD6M0ZYV5AF5JWWGCEMSY';

type Act = readonly [verb: string, run: (engine: Engine) => Promise<unknown>];

const stranger = (name: string): Caller => ({
  ...agent(name),
  scopes: ['worker', 'member', 'admin'],
  boardId: OTHER_BOARD,
});

export async function tryAsStranger(world: SimulatedWorld, places: Places, name: string): Promise<void> {
  const process = newProcess(name);
  const chance = chanceOf(seededRandom(`${world.seed}/${name}`));
  while (world.calmAt === 0) {
    await world.scheduler.sleep(chance.unit() * PACE_MS, process);
    const [verb, run] = chance.one(actsOf(world, places, stranger(name), chance));
    await world.callers.call(process, { actor: name, verb }, run);
  }
}

function actsOf(world: SimulatedWorld, places: Places, caller: Caller, chance: Chance): readonly Act[] {
  const { board, ready: column } = places;
  const stolen = world.calls.flatMap(({ leases = [] }) => leases);
  const onBoard: readonly Act[] = [
    ['get-board', (e) => getBoard(e, caller, { board })],
    ['claim-next', (e) => claimNext(e, caller, { board, column }, null)],
    ['create', (e) => createCard(e, caller, { board, column_id: column, title: 'Not mine' }, null)],
    ['pause', (e) => pauseColumn(e, caller, { board, column })],
  ];
  const onCard = world.cards.length === 0 ? [] : actsOnCard(chance.one(world.cards), column, caller);
  return [...onBoard, ...onCard, ...(stolen.length === 0 ? [] : actsWith(chance.one(stolen), caller))];
}

const actsOnCard = (card: string, column: string, caller: Caller): readonly Act[] => [
  ['get', (e) => getCard(e, caller, { card })],
  ['patch', (e) => patchCard(e, caller, { card, title: 'Taken over' })],
  ['move', (e) => moveCard(e, caller, { card, column_id: column, force: true, reason: 'mine now' })],
  ['archive', (e) => archiveCard(e, caller, { card, force: true, reason: 'mine now' })],
  ['comment', (e) => createComment(e, caller, { card, body: 'I was here' }, null)],
  ['claim-card', (e) => claimCard(e, caller, { card, takeover: true, reason: 'mine now' }, null)],
];

function actsWith({ cardId, run, token }: GivenLease, caller: Caller): readonly Act[] {
  const lease = { lease: leaseId(cardId, run), lease_token: token };
  return [
    ['renew', (e) => renewLease(e, caller, lease)],
    ['complete', (e) => completeLease(e, caller, lease)],
    ['fail', (e) => failLease(e, caller, { ...lease, reason: 'sabotage' })],
    ['release', (e) => releaseLease(e, caller, lease)],
  ];
}
