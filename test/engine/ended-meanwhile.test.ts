/** A claim whose answer is slow: by the time that the card is read, its lease has ended again. */
import { expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { reclaimCard } from '../../shared/verbs/reclaim-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import type { Key } from '../../shared/store/keys.ts';
import type { Item, Write } from '../../shared/store/params.ts';
import { Store, type Transacted } from '../../shared/store/store.ts';
import { documentClient } from '../../shared/store/client.ts';
import { made, makeDesk } from '../cards/support/cards.ts';
import { claimFrom, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

/** Reads the card only once the claim's transaction went through and `between` has happened. */
class SlowReads extends Store {
  readonly #between: () => Promise<unknown>;
  #happened: Promise<unknown> | null = null;

  constructor(of: Engine, between: () => Promise<unknown>) {
    const { tableName, clientOptions } = world.table;
    super({ tableName, client: documentClient(clientOptions), deps: of.deps });
    this.#between = between;
  }

  override async transact(writes: readonly Write[]): Promise<Transacted> {
    if (this.#happened !== null) return super.transact(writes);
    const written = super.transact(writes);
    this.#happened = written.then(async () => this.#between());
    return written;
  }

  override async get(key: Key, consistent = true): Promise<Item | undefined> {
    await this.#happened;
    return super.get(key, consistent);
  }
}

const slowEngine = (between: () => Promise<unknown>): Engine => {
  const engine = world.engine();
  return { ...engine, store: new SlowReads(engine, between) };
};

it.each(['revoked by a person', 'expired, and ended by the reaper'])(
  'a lease %s before its claim was answered is not answered: its fence and token are nobody else’s',
  async (how) => {
    const desk = await makeDesk(world, { concurrency_limit: 3, lease_ttl_seconds: 5 });
    world.clock.advance(10_000);
    const card = await made(world, desk);
    const between = async () => {
      if (how.startsWith('revoked'))
        return reclaimCard(main, world.admin, { card: card.id, reason: 'a mistake' });
      world.clock.advance(6_000);
      return reap(main, Number.MAX_SAFE_INTEGER);
    };
    const first = await claimFrom(slowEngine(between), ada, desk.queue);
    const second = first ?? (await mustClaim(world.engine(), bob, desk.queue));
    expect(second).toMatchObject({ fence: 2, attempt: 2 });
    // The token is the card's current one, or this is refused.
    await renew(main, first === null ? bob : ada, second);
  },
);
