/** Cards as tests speak of them: made through the verb, and looked at as stored. */
import type { Caller, Engine } from '../../../shared/engine.ts';
import type { Repeatable } from '../../../shared/idempotency.ts';
import { readJob } from '../../../shared/jobs.ts';
import { CreateCardBody } from '../../../shared/schemas/cards.ts';
import type { Job } from '../../../shared/store/items.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { getCard } from '../../../shared/verbs/get-card.ts';
import { putContract } from '../../../shared/verbs/put-contract.ts';
import type { BoardDetail } from '../../../shared/views/board.ts';
import type { CardView } from '../../../shared/views/card.ts';
import { columnNamed, makeBoard, queueOf } from '../../boards/support/board.ts';
import type { TestQueue } from '../../support/queue.ts';
import type { World } from '../../support/world.ts';

/** A board of the default template with its queue, and the ids of its columns. */
export interface Desk {
  readonly board: BoardDetail;
  readonly queue: TestQueue;
  readonly ready: string;
  readonly todo: string;
  readonly done: string;
  readonly review: string;
}

export async function makeDesk(world: World, contract: object = {}): Promise<Desk> {
  const board = await makeBoard(world);
  const id = (name: string) => columnNamed(board, name).id;
  const [ready, done] = [id('Ready'), id('Done')];
  if (Object.keys(contract).length > 0)
    await setContract(world, board, { on_success_column_id: done, ...contract });
  return {
    board,
    queue: await queueOf(world.main, board),
    ready,
    todo: id('To do'),
    done,
    review: id('Review'),
  };
}

export async function setContract(world: World, board: BoardDetail, contract: object): Promise<void> {
  const column = columnNamed(board, 'Ready').id;
  await putContract(world.main, world.admin, {
    board: board.id,
    column,
    contract: { enabled: true, ...contract },
  });
}

export interface MakeOptions {
  readonly engine?: Engine;
  readonly caller?: Caller;
  readonly repeat?: Repeatable | null;
  readonly traceparent?: string;
}

/** Creates a card in the desk's queue, unless the body says otherwise. The body is checked as a request's is. */
export async function make(world: World, desk: Desk, body: object = {}, options: MakeOptions = {}) {
  const { engine = world.main, caller = world.admin, repeat = null, traceparent } = options;
  world.clock.advance(1);
  const parsed = CreateCardBody.parse({ title: 'A card', column_id: desk.ready, ...body });
  return createCard(engine, caller, { ...parsed, board: desk.board.id, traceparent }, repeat);
}

export async function made(world: World, desk: Desk, body: object = {}): Promise<CardView> {
  return (await make(world, desk, body)).value;
}

export const look = async (world: World, card: { id: string }): Promise<CardView> =>
  getCard(world.main, world.admin, { card: card.id });

/** JOB as it is stored. */
export async function jobOf(world: World, card: { id: string }): Promise<Job> {
  const job = await readJob(world.main, card.id);
  if (job === undefined) throw new Error(`There is no JOB of ${card.id}`);
  return job;
}

/** Names of the events of the card's last transition. */
export const lastEvents = async (world: World, card: { id: string }): Promise<string[]> =>
  (await jobOf(world, card)).ev.map(({ type }) => type);
