import { describe, expect, it } from 'vitest';
import { note, writeChange } from '../../shared/jobs.ts';
import { PatchCardBody } from '../../shared/schemas/cards.ts';
import { bodyKey } from '../../shared/store/keys.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { refusal } from '../boards/support/board.ts';
import { claimFrom, complete, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, lastEvents, look, made, makeDesk, setContract } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const patch = async (card: { id: string }, fields: object, caller = admin) =>
  patchCard(main, caller, { ...PatchCardBody.parse(fields), card: card.id });
const patchAt = async (card: { id: string }, if_match: number, fields: object) =>
  patchCard(main, admin, { ...PatchCardBody.parse(fields), card: card.id, if_match });

describe('a patch', () => {
  it('of 20 properties by 20 writers at once leaves all 20 there (task-master #1567)', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { properties: { kept: true } });
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
    await Promise.all(
      names.map(async (name) =>
        patchCard(world.engine(), admin, { card: card.id, properties: { [name]: name } }),
      ),
    );
    const { properties, rev } = await look(world, card);
    expect(properties).toEqual({ kept: true, ...Object.fromEntries(names.map((name) => [name, name])) });
    expect(rev).toBe(21);
  });

  it('sets what it names, takes away what it nulls, and leaves the rest', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, {
      body: 'text',
      properties: { a: 1, b: 2 },
      assignee: 'bob',
      tenant: 'acme',
      labels: ['x'],
      skills: ['gpu'],
      model: { name: 'm', provider: 'p' },
      max_attempts: 3,
      max_runtime_seconds: 60,
      workflow_template_id: 'w',
      current_step_key: 's',
    });
    const changed = await patch(card, {
      title: 'Other',
      properties: { b: null, c: 3 },
      assignee: null,
      tenant: null,
      labels: [],
      skills: null,
      model: null,
      max_attempts: null,
      max_runtime_seconds: null,
      workflow_template_id: null,
    });
    expect(changed).toMatchObject({
      title: 'Other',
      body: 'text',
      properties: { a: 1, c: 3 },
      assignee: null,
      tenant: null,
      labels: [],
      skills: [],
      model: null,
      max_attempts: null,
      max_runtime_seconds: null,
      workflow_template_id: null,
      current_step_key: 's',
      state: 'ready',
      rev: 2,
    });
    expect(changed.properties).not.toHaveProperty('b');
    expect(await look(world, card)).toEqual(changed);
    expect(await lastEvents(world, card)).toEqual(['card.updated', 'card.assigned']);
  });

  it('that changes nothing writes nothing', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { labels: ['x'] });
    meter.reset();
    expect(await patch(card, { title: card.title, labels: ['x', 'x'], priority: 5, hold: false })).toEqual(
      card,
    );
    expect(await patch(card, {})).toEqual(card);
    expect(meter.writeUnits).toBe(0);
  });

  it('with a stale revision is refused; a claim and its heartbeats make no revision stale (leantime #3099)', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await patchAt(card, 1, { title: 'v2' });
    const stale = await refusal(patchAt(card, 1, { title: 'lost' }));
    expect(stale.code).toBe('stale_revision');
    expect((await look(world, card)).title).toBe('v2');
    const held = await mustClaim(main, ada, desk.queue);
    await renew(main, ada, held);
    expect((await patchAt(card, 2, { title: 'v3' })).rev).toBe(3);
    await complete(main, ada, held);
    expect((await look(world, card)).rev).toBe(3);
  });

  it('knows no field by which a card could be called held or its attempts forgotten (hermes PR 28411, swarmclaw #102)', () => {
    for (const field of [
      'state',
      'status',
      'attempt',
      'attempts',
      'lease',
      'column_id',
      'dedupe_key',
      'parents',
    ]) {
      expect(PatchCardBody.safeParse({ [field]: 'x' }).success).toBe(false);
    }
  });

  it('of a long text to a short one and back keeps the text whole and nothing else', async () => {
    const desk = await makeDesk(world);
    const long = 'é'.repeat(100_000);
    const card = await made(world, desk, { body: 'short' });
    expect((await patch(card, { body: long })).body).toBe(long);
    expect((await look(world, card)).body).toBe(long);
    expect((await patch(card, { body: 'short again' })).body).toBe('short again');
    expect((await look(world, card)).body).toBe('short again');
    expect(await main.store.get(bodyKey(card.id))).toBeUndefined();
    expect((await patch(card, { body: null })).body).toBe('');
    expect((await look(world, card)).body).toBe('');
  });

  it('cannot grow the properties past their bound by parts', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { properties: { a: 'x'.repeat(40_000) } });
    const refused = await refusal(patch(card, { properties: { b: 'x'.repeat(40_000) } }));
    expect(refused).toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ path: '/properties' }] },
    });
    expect((await look(world, card)).rev).toBe(1);
  });

  it('of an unknown card, or by a token of another board, finds nothing', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const stranger = world.person('cy', { boardId: 'brd_01KJPWD6M0A8R9654JGPX0DACC' });
    expect((await refusal(patch(card, { title: 'x' }, stranger))).code).toBe('not_found');
    expect((await refusal(patch({ id: 'crd_nope' }, { title: 'x' }))).code).toBe('not_found');
  });
});

describe('where a patched card stands', () => {
  it('follows its priority', async () => {
    const desk = await makeDesk(world);
    const first = await made(world, desk);
    const second = await made(world, desk);
    expect((await patch(second, { priority: 9 })).rev).toBe(2);
    expect(await lastEvents(world, second)).toEqual(['card.reprioritized']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(second.id);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(first.id);
  });

  it('follows its assignee: offered to that one only', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await patch(card, { assignee: 'bob' });
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('not_yours');
    expect((await mustClaim(main, world.agent('bob'), desk.queue)).card.id).toBe(card.id);
  });

  it('follows its draft, hold and schedule; clearing the time makes it ready', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { draft: true });
    expect(await patch(card, { draft: false })).toMatchObject({ state: 'ready', waiting_on: null });
    expect(await patch(card, { hold: true })).toMatchObject({ state: 'waiting', waiting_on: 'hold' });
    expect(await lastEvents(world, card)).toEqual(['card.held']);
    const scheduled_at = new Date(clock.now() + 3_600_000).toISOString();
    expect(await patch(card, { hold: false, scheduled_at })).toMatchObject({
      state: 'waiting',
      waiting_on: 'schedule',
      waiting_detail: scheduled_at,
    });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect(await patch(card, { scheduled_at: null })).toMatchObject({ state: 'ready', scheduled_at: null });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('follows its input: mended, it is offered; broken, it waits', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object', required: ['url'] } });
    const card = await made(world, desk);
    expect(card.waiting_on).toBe('input');
    const mended = await patch(card, { properties: { url: 'u' } });
    expect(mended).toMatchObject({ state: 'ready', waiting_detail: null });
    expect(await patch(card, { properties: { url: null } })).toMatchObject({
      state: 'waiting',
      waiting_on: 'input',
    });
    await patch(card, { properties: { url: 'u' } });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });
});

describe('a held card that is patched', () => {
  it('stays held, and its worker hears of it at its next heartbeat', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const patched = await patch(card, { title: 'new', priority: 9, hold: true, properties: { more: 1 } });
    expect(patched).toMatchObject({
      state: 'leased',
      hold: true,
      lease: { id: held.lease_id, agent: 'ada' },
      rev: 2,
    });
    expect((await renew(main, ada, held)).signals.card_rev).toBe(2);
    const { card: done } = await complete(main, ada, held);
    expect(done).toMatchObject({ state: 'done', title: 'new' });
  });

  it('on hold is not offered again once its worker is gone, and its late worker cannot take it back', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    await patch(card, { hold: true });
    clock.advance(3_600_000);
    expect(await claimFrom(main, world.agent('bob'), desk.queue)).toBeNull();
    const late = await refusal(renew(main, ada, held));
    expect(late).toMatchObject({ code: 'conflict' });
    expect(late.message).toContain('may still complete');
    expect(await look(world, card)).toMatchObject({ state: 'waiting', waiting_on: 'hold' });
  });

  it('is not taken from its worker by a new assignee', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await mustClaim(main, ada, desk.queue);
    expect(await refusal(patch(card, { assignee: 'bob' }))).toMatchObject({
      code: 'lease_held',
      extras: { holder: 'ada' },
    });
  });
});

describe('a worker', () => {
  it('changes its own card with its token, and renews its lease by that', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(100_000);
    const patched = await patch(card, { properties: { found: 1 }, lease_token: held.lease_token }, ada);
    expect(patched).toMatchObject({ state: 'leased', properties: { found: 1 } });
    expect(Date.parse(patched.lease?.expires_at ?? '')).toBe(clock.now() + 120_000);
    clock.advance(100_000);
    await complete(main, ada, held);
  });

  it('without a token, or with one that is not the current, changes nothing', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const other = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(patch(card, { title: 'x' }, ada))).code).toBe('forbidden');
    for (const [target, lease_token] of [
      [other, held.lease_token],
      [card, 'any string'],
      [card, `${held.lease_token}x`],
    ] as const) {
      expect((await refusal(patch(target, { title: 'x', lease_token }, ada))).code).toBe('lease_lost');
    }
    clock.advance(3_600_000);
    const bob = world.agent('bob');
    await mustClaim(main, bob, desk.queue);
    const late = await refusal(patch(card, { title: 'x', lease_token: held.lease_token }, ada));
    expect(late).toMatchObject({ code: 'lease_lost', extras: { reason: 'superseded', by: 'bob' } });
    expect(await look(world, card)).toMatchObject({ title: 'A card', rev: 1 });
  });

  it('that is late takes its card back by its patch when nobody took it since', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(3_600_000);
    const unreaped = await patch(card, { title: 'late', lease_token: held.lease_token }, ada);
    expect(unreaped).toMatchObject({ state: 'leased', title: 'late', lease: { expired: false } });
    clock.advance(3_600_000);
    await reap(main, clock.now() + 60_000);
    expect((await look(world, card)).state).toBe('ready');
    const reaped = await patch(card, { title: 'later', lease_token: held.lease_token }, ada);
    expect(reaped).toMatchObject({ state: 'leased', title: 'later', attempt: 1 });
    expect(Date.parse(reaped.lease?.expires_at ?? '')).toBe(clock.now() + 120_000);
  });

  it('assigns its card onwards while it holds it', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const patched = await patch(card, { assignee: 'bob', lease_token: held.lease_token }, ada);
    expect(patched).toMatchObject({ state: 'leased', assignee: 'bob' });
  });
});

describe('the cost of a patch', () => {
  it('is 5 write units for a title or properties, 3 for a priority or an assignee', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, {
      title: 't'.repeat(60),
      body: 'x'.repeat(4_096),
      labels: ['a', 'b'],
    });
    const cost = async (fields: object) => {
      meter.reset();
      await patch(card, fields);
      return { writes: meter.of('transact').calls + meter.of('update').calls, units: meter.writeUnits };
    };
    // Items of under 1 KB: JOB 2, CARD 2, and the index by age once, which the emulator counts twice.
    const title = await cost({ title: 'u'.repeat(60) });
    expect(title.writes).toBe(1);
    expect(title.units).toBeLessThanOrEqual(6);
    expect((await cost({ properties: { a: 1 } })).units).toBeLessThanOrEqual(4);
    expect(await cost({ priority: 7 })).toEqual({ writes: 1, units: 3 });
    expect(await cost({ assignee: 'bob' })).toEqual({ writes: 1, units: 3 });
  });
});

describe('a patch beside a changed schema', () => {
  it('is decided anew when the card was checked in between, which makes no event', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object' } });
    const card = await made(world, desk);
    const before = await jobOf(world, card);
    await setContract(world, desk.board, { input_schema: { type: 'object', required: ['url'] } });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    const events = [note('card.updated', { type: 'person', id: 'admin' }, before)];
    const stale = { op: 'edit' as const, before, after: { ...before, priority: 9 }, events };
    expect((await writeChange(main, stale)).done).toBe(false);
    expect(await look(world, card)).toMatchObject({ waiting_on: 'input', priority: 5 });
  });

  it('is judged by the schema in force, and a card that was ready before is caught by its claim', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object' } });
    const card = await made(world, desk);
    await setContract(world, desk.board, { input_schema: { type: 'object', required: ['url'] } });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect(await look(world, card)).toMatchObject({ waiting_on: 'input' });
    await patch(card, { properties: { url: 'u' } });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
    expect((await jobOf(world, card)).input_bad).toBeUndefined();
  });
});
