/** Linked cards as tests speak of them. */
import type { Caller, Engine } from '../../../shared/engine.ts';
import { archiveCard } from '../../../shared/verbs/archive-card.ts';
import { linkCards } from '../../../shared/verbs/link-cards.ts';
import { moveCard } from '../../../shared/verbs/move-card.ts';
import { unlinkCards } from '../../../shared/verbs/unlink-cards.ts';
import type { CardView } from '../../../shared/views/card.ts';
import { made, type Desk } from '../../cards/support/cards.ts';
import { complete, mustClaim } from '../../support/worker.ts';
import type { World } from '../../support/world.ts';

type Named = { readonly id: string };

/** A card in the queue that waits for others. */
export const childOf = async (world: World, desk: Desk, parents: readonly Named[], more: object = {}) =>
  made(world, desk, { parents: parents.map(({ id }) => id), ...more });

export const link = async (world: World, parent: Named, child: Named, caller: Caller = world.admin) =>
  linkCards(world.main, caller, { card: child.id, parent_id: parent.id }, null);

export const unlink = async (world: World, parent: Named, child: Named) =>
  unlinkCards(world.main, world.admin, { card: child.id, parent_id: parent.id });

/** Done by a person's move, whatever the card's column. */
export const finish = async (world: World, desk: Desk, card: Named): Promise<CardView> =>
  moveCard(world.main, world.admin, { card: card.id, column_id: desk.done });

export const archive = async (world: World, card: Named): Promise<CardView> =>
  archiveCard(world.main, world.admin, { card: card.id });

/** Claims whatever is offered and completes it; answers its id. */
export async function work(engine: Engine, caller: Caller, desk: Desk): Promise<string> {
  const held = await mustClaim(engine, caller, desk.queue);
  await complete(engine, caller, held);
  return held.card.id;
}
