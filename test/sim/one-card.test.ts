/**
 * One card's life against a model of it, by commands of chance: where they part, fast-check shrinks the story to the
 * few steps that matter. The model knows states, attempts and who holds the card, and nothing of how that is stored.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { isProblem } from '../../shared/errors.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { failLease } from '../../shared/verbs/fail-lease.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { releaseLease } from '../../shared/verbs/release-lease.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { unholdCard } from '../../shared/verbs/unhold-card.ts';
import { chanceOf } from './chance.ts';
import { configurationBy, withoutFaults } from './configuration.ts';
import { foundBoard } from './found-board.ts';
import { tell } from './simulate.ts';
import { agent, createSimulatedWorld, person, type SimulatedWorld } from './world.ts';

const RUNS = 60;
const COMMANDS = 30;
const TTL_MS = 10_000;
const BACKOFF_MS = 4_000;
const MAX_ATTEMPTS = 2;

interface Token {
  readonly lease: string;
  readonly lease_token: string;
}

/** The card as the product's text has it. */
interface Model {
  state: 'ready' | 'backoff' | 'leased' | 'done' | 'dead' | 'archived';
  archivedFrom: 'ready' | 'done' | 'dead';
  attempt: number;
  fence: number;
  onHold: boolean;
  /** Number of the run whose token may still act; 0 for none. */
  holder: number;
  until: number;
  notBefore: number;
}

interface Real {
  readonly world: SimulatedWorld;
  readonly engine: Engine;
  readonly board: string;
  readonly column: string;
  readonly card: string;
  /** Tokens by the number of their run. */
  readonly tokens: Map<number, Token>;
}

const ann = person('ann');
const ada = agent('ada');
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'ok';
  } catch (error) {
    if (isProblem(error)) return error.code;
    throw error;
  }
};

const isOffered = (model: Model, now: number): boolean => {
  if (model.onHold) return false;
  if (model.state === 'ready') return true;
  if (model.state === 'backoff') return model.notBefore <= now;
  return model.state === 'leased' && model.until <= now && model.attempt < MAX_ATTEMPTS;
};

/** What an expired lease becomes when somebody other than its holder meets it. */
function expire(model: Model, now: number): void {
  if (model.state !== 'leased' || model.until > now) return;
  if (model.attempt < MAX_ATTEMPTS) model.state = 'ready';
  else Object.assign(model, { state: 'dead', holder: 0 });
}

type Command = fc.AsyncCommand<Model, Real>;
const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => name,
});

const claim = command('claim', async (model, real) => {
  const now = real.world.scheduler.now;
  const { value } = await claimNext(real.engine, ada, { board: real.board, column: real.column }, null);
  expect(value.card !== null).toBe(isOffered(model, now));
  if (value.card === null) {
    expire(model, now);
    return;
  }
  Object.assign(model, {
    state: 'leased',
    attempt: model.attempt + 1,
    fence: model.fence + 1,
    until: now + TTL_MS,
  });
  model.holder = model.fence;
  expect(value).toMatchObject({ fence: model.fence, attempt: model.attempt });
  real.tokens.set(model.fence, { lease: value.lease_id, lease_token: value.lease_token });
});

/** What a holder does: with the newest token, or an older one. */
const byHolder = (
  name: string,
  age: number,
  call: (real: Real, token: Token) => Promise<unknown>,
  becomes: (model: Model, now: number) => void,
): Command =>
  command(`${name} by ${age === 0 ? 'the newest token' : 'an older token'}`, async (model, real) => {
    const token = real.tokens.get(model.fence - age);
    if (token === undefined) return;
    const mayAct = model.holder === model.fence - age && model.holder > 0 && canAct(name, model);
    const now = real.world.scheduler.now;
    const code = await codeOf(call(real, token));
    if (!mayAct) {
      // A closing verb repeated with its own token is answered again; every other call of a dead token is refused.
      expect(['lease_lost', 'conflict', 'ok']).toContain(code);
      if (age > 0 && name === 'renew') expect(code).not.toBe('ok');
      return;
    }
    expect(code).toBe('ok');
    becomes(model, now);
  });

/** Taken back late, the card must be one that a claim would get. */
const canAct = (name: string, model: Model): boolean =>
  model.state === 'leased' || (model.state === 'ready' && (name !== 'renew' || !model.onHold));

const complete = (age: number) =>
  byHolder(
    'complete',
    age,
    ({ engine }, token) => completeLease(engine, ada, token),
    (model) => {
      Object.assign(model, { state: 'done', holder: 0 });
    },
  );
const renew = (age: number) =>
  byHolder(
    'renew',
    age,
    ({ engine }, token) => renewLease(engine, ada, token),
    (model, now) => {
      Object.assign(model, { state: 'leased', until: now + TTL_MS });
    },
  );
const fail = byHolder(
  'fail',
  0,
  ({ engine }, token) => failLease(engine, ada, { ...token, reason: 'no' }),
  (model, now) => {
    const isLast = model.attempt >= MAX_ATTEMPTS;
    Object.assign(model, { state: isLast ? 'dead' : 'backoff', notBefore: now + BACKOFF_MS, holder: 0 });
  },
);
const release = byHolder(
  'release',
  0,
  ({ engine }, token) => releaseLease(engine, ada, token),
  (model) => {
    Object.assign(model, { state: 'ready', attempt: model.attempt - 1, holder: 0 });
  },
);

const hold = command('hold', async (model, { engine, card }) => {
  await codeOf(holdCard(engine, ann, { card }));
  model.onHold = true;
});
const unhold = command('unhold', async (model, { engine, card }) => {
  await codeOf(unholdCard(engine, ann, { card }));
  model.onHold = false;
});
const wait = (seconds: number) =>
  command(`wait ${seconds} s`, async (_model, { world }) => world.scheduler.sleep(seconds * 1_000, null));
const reaper = command('the reaper', async (model, { engine, world }) => {
  await reap(engine, Number.MAX_SAFE_INTEGER);
  expire(model, world.scheduler.now);
  if (model.state === 'backoff' && model.notBefore <= world.scheduler.now) model.state = 'ready';
});
const redrive = command('redrive', async (model, { engine, card, world }) => {
  const code = await codeOf(redriveCard(engine, ann, { card }));
  expire(model, world.scheduler.now);
  expect(code === 'ok').toBe(model.state === 'dead');
  if (code === 'ok') Object.assign(model, { state: 'ready', attempt: 0 });
});
const archive = command('archive', async (model, { engine, card, world }) => {
  const code = await codeOf(archiveCard(engine, ann, { card }));
  expire(model, world.scheduler.now);
  if (model.state === 'archived') return;
  expect(code).toBe(model.state === 'leased' ? 'lease_held' : 'ok');
  if (code !== 'ok') return;
  const archivedFrom = model.state === 'done' || model.state === 'dead' ? model.state : 'ready';
  Object.assign(model, { state: 'archived', archivedFrom, holder: 0 });
});
const look = command('look', async (model, { engine, card, world }) => {
  const view = await getCard(engine, ann, { card });
  expect(view.fence).toBe(model.fence);
  const now = world.scheduler.now;
  if (model.state === 'archived' || model.state === 'done' || model.state === 'dead') {
    expect(view.state).toBe(model.state);
  }
  if (model.state === 'leased') expect(view.lease?.expired).toBe(model.until <= now);
});

const COMMAND_SET: readonly Command[] = [
  claim,
  complete(0),
  complete(1),
  renew(0),
  renew(1),
  fail,
  release,
  hold,
  unhold,
  wait(1),
  wait(5),
  wait(11),
  reaper,
  redrive,
  archive,
  look,
];

it('a card lives as its model does, whatever happens to it', async () => {
  const stories = fc.commands(
    COMMAND_SET.map((each) => fc.constant(each)),
    { maxCommands: COMMANDS },
  );
  await fc.assert(
    fc.asyncProperty(stories, async (commands) => {
      const configuration = withoutFaults(configurationBy(chanceOf(() => 0)));
      const ready = {
        enabled: true,
        lease_ttl_seconds: TTL_MS / 1_000,
        max_attempts: MAX_ATTEMPTS,
        backoff_seconds: [BACKOFF_MS / 1_000],
        backoff_jitter: 0,
      };
      const world = createSimulatedWorld({ seed: 'card', configuration: { ...configuration, ready } });
      await tell(world, async () => fc.asyncModelRun(() => lifeOf(world), commands));
    }),
    { numRuns: RUNS, seed: 1 },
  );
});

/** Set up within the story: asyncModelRun takes a promise of model and real system. */
async function lifeOf(world: SimulatedWorld): Promise<{ model: Model; real: Real }> {
  const { board, ready: column } = await foundBoard(world);
  const { engine } = world.instances.any();
  const { value } = await createCard(engine, ann, { board, column_id: column, title: 'One' }, null);
  const real: Real = { world, engine, board, column, card: value.id, tokens: new Map() };
  const model: Model = {
    state: 'ready',
    archivedFrom: 'ready',
    attempt: 0,
    fence: 0,
    onHold: false,
    holder: 0,
    until: 0,
    notBefore: 0,
  };
  return { model, real };
}
