/** A batch claim repeated under its key, when the first one lost a card to another worker on the way. */
import { expect, it } from 'vitest';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import type { Engine } from '../../shared/engine.ts';
import type { Write } from '../../shared/store/params.ts';
import { documentClient } from '../../shared/store/client.ts';
import { Store, type Transacted } from '../../shared/store/store.ts';
import { made, makeDesk } from '../cards/support/cards.ts';
import { mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const CARDS = 6;

/** Another is quicker at the first card that the claim tries. */
class Overtaken extends Store {
  #rival: (() => Promise<unknown>) | null;

  constructor(of: Engine, rival: () => Promise<unknown>) {
    const { tableName, clientOptions } = world.table;
    super({ tableName, client: documentClient(clientOptions), deps: of.deps });
    this.#rival = rival;
  }

  override async transact(writes: readonly Write[]): Promise<Transacted> {
    const rival = this.#rival;
    this.#rival = null;
    await rival?.();
    return super.transact(writes);
  }
}

it('answers the leases of the first one and takes no more', async () => {
  const desk = await makeDesk(world);
  for (let at = 0; at < CARDS; at += 1) await made(world, desk);
  const engine = world.engine();
  const rival = async () => mustClaim(world.engine(), world.agent('bob'), desk.queue);
  const overtaken: Engine = { ...engine, store: new Overtaken(engine, rival) };
  const body = { board: desk.board.id, column: desk.ready, max: 3 };
  const repeat = { key: 'one', route: 'POST claim-batch', fingerprint: 'three' };
  const ask = async (of: Engine) => {
    const { value } = await claimBatch(of, world.agent('ada'), body, repeat);
    return value.claims.map(({ lease_id, lease_token }) => `${lease_id} ${lease_token}`).toSorted();
  };
  const first = await ask(overtaken);
  expect(first.length).toBeGreaterThan(0);
  expect(await ask(world.engine())).toEqual(first);
});
