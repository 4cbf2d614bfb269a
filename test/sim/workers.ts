/**
 * Workers, of every kind: those that heartbeat and complete, that go quiet and come back too late, that repeat
 * themselves, use dead tokens, or die. None of them knows of the others.
 */
import type { Caller, Engine } from '../../shared/engine.ts';
import type { Repeatable, Replayable } from '../../shared/idempotency.ts';
import { blockLease } from '../../shared/verbs/block-lease.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { failLease } from '../../shared/verbs/fail-lease.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { releaseLease } from '../../shared/verbs/release-lease.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import { requestChanges } from '../../shared/verbs/request-changes.ts';
import { requestReview } from '../../shared/verbs/request-review.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import type { Heard } from './caller.ts';
import { chanceOf, type Chance } from './chance.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Call, GivenLease } from './recording.ts';
import type { Process } from './scheduler.ts';
import { agent, newProcess, type Places, type SimulatedWorld } from './world.ts';

const SECOND_MS = 1_000;
/** Pauses of a worker that found nothing; shorter than the hint, to crowd the queue. */
const IDLE_MS = 2_000;
/** A worker works for up to so many lease lifetimes. */
const LONGEST_WORK = 2.2;
const BEATS = 3;
/** Where people act this often, workers name the cards that they want, and take them from each other. */
const CROWD_PACE_MS = 1_000;

type Claim = Pick<ClaimView, 'lease_id' | 'lease_token' | 'fence'> & {
  readonly card: { readonly id: string };
};

export const given = (claim: Claim): GivenLease => ({
  cardId: claim.card.id,
  run: claim.fence,
  token: claim.lease_token,
});

/** A worker of this run, until the run ends. */
export async function work(world: SimulatedWorld, places: Places, name: string): Promise<void> {
  const worker = new Worker(world, places, name);
  await worker.run();
}

export class Worker {
  readonly world: SimulatedWorld;
  readonly places: Places;
  readonly name: string;
  readonly caller: Caller;
  readonly process: Process;
  readonly chance: Chance;
  /** Leases that ended or were lost: a zombie uses them still. */
  readonly #old: Claim[] = [];
  readonly #life: string;
  #keys = 0;

  constructor(world: SimulatedWorld, places: Places, name: string) {
    this.world = world;
    this.places = places;
    this.name = name;
    this.caller = agent(name);
    this.process = newProcess(name);
    this.#life = `${name}-${Math.floor(world.scheduler.now)}`;
    this.chance = chanceOf(seededRandom(`${world.seed}/${name}`));
  }

  async run(): Promise<void> {
    const { world, chance } = this;
    while (!world.ended) {
      if (world.calmAt > 0) return;
      const claims = await this.#claim();
      if (claims.length === 0) await this.#sleep(chance.unit() * IDLE_MS);
      await Promise.all(claims.map((claim) => this.#workOn(claim)));
      const [zombie] = this.#old;
      if (zombie !== undefined && chance.yes(6)) await this.#close(chance.one(this.#old));
    }
  }

  async #sleep(ms: number): Promise<void> {
    return this.world.scheduler.sleep(ms, this.process);
  }

  async #claim(): Promise<Claim[]> {
    const { chance, world } = this;
    const column = chance.yes(4) ? this.places.review : this.places.ready;
    const isCrowd = world.planned.paceMs < CROWD_PACE_MS;
    if (chance.yes(isCrowd ? 3 : 8) && world.cards.length > 0)
      return this.#claimNamed(chance.one(world.cards));
    return chance.yes(5) ? this.#claimSeveral(column) : this.claimNext(column);
  }

  async claimNext(column: string): Promise<Claim[]> {
    const body = { board: this.places.board, column };
    const value = await this.#claiming('claim-next', {}, body, (engine, repeat) =>
      claimNext(engine, this.caller, body, repeat),
    );
    return value === null || value.card === null ? [] : [value];
  }

  async #claimSeveral(column: string): Promise<Claim[]> {
    const body = { board: this.places.board, column, max: 2 + this.chance.below(3) };
    const value = await this.#claiming('claim-batch', {}, body, (engine, repeat) =>
      claimBatch(engine, this.caller, body, repeat),
    );
    return value === null ? [] : [...value.claims];
  }

  async #claimNamed(card: string): Promise<Claim[]> {
    const takeover = this.chance.yes(3) ? { takeover: true, reason: 'the holder was shut down' } : {};
    const body = { card, ...takeover };
    const value = await this.#claiming('claim-card', { cardId: card }, body, (engine, repeat) =>
      claimCard(engine, this.caller, body, repeat),
    );
    return value === null ? [] : [value];
  }

  /** A claim, often with a key, then repeated while no answer comes. */
  async #claiming<T extends object>(
    verb: string,
    about: Pick<Call, 'cardId'>,
    body: object,
    run: (engine: Engine, repeat: Repeatable | null) => Promise<Replayable<T>>,
  ): Promise<T | null> {
    this.#keys += 1;
    const keyed = !this.chance.yes(3);
    const repeat: Repeatable | null = keyed
      ? { key: `${this.#life}-${this.#keys}`, route: verb, fingerprint: JSON.stringify(body) }
      : null;
    const asked = {
      actor: this.name,
      verb,
      ...about,
      ...(repeat === null ? {} : { key: repeat.key, fingerprint: repeat.fingerprint }),
    };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const heard = await this.world.callers.call(this.process, asked, (engine) => run(engine, repeat));
      if (heard.kind === 'ok') {
        const leases = leasesOf(heard.value.value);
        const call = this.#lastCall();
        if (call !== undefined) call.leases = leases;
        if (heard.value.replayed) this.world.counters.add('claim answered again');
        if (heard.engine.claims.of(this.places.ready).window > 1) this.world.counters.add('window widened');
        if (leases.length === 0) this.#noteEmpty();
        // Repeated although it was answered: it must get the same lease, or hear that it is gone.
        if (keyed && leases.length > 0 && attempt === 0 && this.chance.yes(8)) continue;
        return heard.value.value;
      }
      if (!keyed || heard.kind === 'failed') return null;
      if (
        heard.kind === 'refused' &&
        heard.code !== 'throttled' &&
        heard.code !== 'idempotency_in_progress'
      ) {
        return null;
      }
      await this.#sleep(this.chance.unit() * SECOND_MS);
    }
    return null;
  }

  /** The call that this worker made last: its answer has just come. */
  #lastCall(): Call | undefined {
    return this.world.calls.findLast(({ actor, answered }) => actor === this.name && answered !== undefined);
  }

  #noteEmpty(): void {
    const sorted = this.world.table.entries(undefined, '');
    if (sorted !== undefined) return;
    for (const card of this.world.cards) {
      const job = this.world.table.get({ pk: card, sk: 'JOB' });
      if (job?.['state'] === 'ready' && job['assignee'] === undefined) {
        this.world.counters.add('empty answer though a card was ready');
        return;
      }
    }
  }

  async #workOn(claim: Claim): Promise<void> {
    const { chance, world } = this;
    const ttlMs = (world.planned.ready.lease_ttl_seconds ?? 10) * SECOND_MS;
    const until = world.scheduler.now + chance.unit() * LONGEST_WORK * ttlMs;
    const beats = !chance.yes(3);
    while (world.scheduler.now < until && world.calmAt === 0) {
      await this.#sleep(Math.min(ttlMs / BEATS, Math.max(1, until - world.scheduler.now)));
      if (!beats) continue;
      if (chance.yes(5)) await this.#alongside(claim);
      const renewed = await this.renew(claim);
      if (renewed.kind === 'refused' && renewed.code === 'lease_lost' && chance.yes(2)) {
        this.#old.push(claim);
        return;
      }
    }
    this.#old.push(claim);
    if (chance.yes(8)) return;
    // Gone quiet, and back: perhaps too late.
    if (!beats && chance.yes(2)) await this.renew(claim);
    await this.#close(claim);
    if (chance.yes(6)) await this.#close(claim);
    if (chance.yes(8)) await this.renew(claim);
  }

  async renew(claim: Claim): Promise<Heard<unknown>> {
    const more = this.chance.yes(4) ? { note: 'half way', progress: 50 } : {};
    const checkpoint = this.chance.yes(6) ? { checkpoint: 'so far' } : {};
    return this.#holding('renew', claim, (engine, lease) =>
      renewLease(engine, this.caller, { ...lease, ...more, ...checkpoint }),
    );
  }

  /** What a holder does beside its work: comment, change, link, break down. */
  async #alongside(claim: Claim): Promise<void> {
    const card = claim.card.id;
    const { lease_token } = claim;
    const { chance, caller, world } = this;
    const act = chance.one<() => Promise<unknown>>([
      () =>
        this.#holding('comment', claim, (engine) =>
          createComment(engine, caller, { card, body: 'working on it', lease_token }, null),
        ),
      () =>
        this.#holding('patch', claim, (engine) =>
          patchCard(engine, caller, { card, title: `by ${this.name}`, lease_token }),
        ),
      () =>
        this.#holding('link', claim, (engine) =>
          linkCards(engine, caller, { card, child_id: chance.one(world.cards), lease_token }, null),
        ),
      () =>
        this.#holding('decompose', claim, (engine) =>
          decomposeCard(
            engine,
            caller,
            { card, lease_token, cards: [{ ref: 'part', title: 'A part', column_id: this.places.ready }] },
            null,
          ),
        ),
    ]);
    await act();
  }

  async complete(claim: Claim): Promise<Heard<unknown>> {
    return this.#holding('complete', claim, (engine, lease) =>
      completeLease(engine, this.caller, { ...lease, output: { by: this.name }, summary: 'done' }),
    );
  }

  /** One of the closing verbs, again while no answer comes. */
  async #close(claim: Claim): Promise<void> {
    const { chance, caller } = this;
    const reason = 'it did not work';
    const close = chance.one<() => Promise<Heard<unknown>>>([
      () => this.complete(claim),
      () => this.complete(claim),
      () => this.complete(claim),
      () =>
        this.#holding('fail', claim, (engine, lease) =>
          failLease(engine, caller, {
            ...lease,
            reason,
            ...(chance.yes(3) ? { kind: 'rate_limited' as const, retry_after_seconds: 1 } : {}),
            ...(chance.yes(5) ? { retryable: false } : {}),
          }),
        ),
      () => this.#holding('release', claim, (engine, lease) => releaseLease(engine, caller, lease)),
      () =>
        this.#holding('block', claim, (engine, lease) =>
          blockLease(engine, caller, {
            ...lease,
            reason,
            kind: chance.one(['transient', null, 'dependency'] as const),
          }),
        ),
      () =>
        this.#holding('request_review', claim, (engine, lease) =>
          requestReview(engine, caller, { ...lease, summary: 'please look' }),
        ),
      () =>
        this.#holding('request_changes', claim, (engine, lease) =>
          requestChanges(engine, caller, { ...lease, reason }),
        ),
    ]);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const heard = await close();
      const again = heard.kind === 'unknown' || (heard.kind === 'refused' && heard.code === 'throttled');
      if (!again) return;
    }
  }

  async #holding<T>(
    verb: string,
    claim: Claim,
    run: (engine: Engine, lease: { lease: string; lease_token: string }) => Promise<T>,
  ): Promise<Heard<T>> {
    const asked = { actor: this.name, verb, cardId: claim.card.id, run: claim.fence };
    const lease = { lease: claim.lease_id, lease_token: claim.lease_token };
    return this.world.callers.call(this.process, asked, (engine) => run(engine, lease));
  }
}

function leasesOf(value: object): GivenLease[] {
  if ('claims' in value) return (value.claims as Claim[]).map(given);
  return 'lease_token' in value && value.lease_token !== null ? [given(value as Claim)] : [];
}
