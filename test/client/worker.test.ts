import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { abortOf, LeaseboardError, PermanentError, RetryAfter, type JobContext } from '../../client/index.ts';
import { FakeQueue, refusal, TTL_SECONDS } from './support/fake-queue.ts';
import { settled } from './support/platforms.ts';

const TTL_MS = TTL_SECONDS * 1000;

/** A handler that goes on until it is told to stop, then throws the reason. Remembers the jobs it was given. */
function endless() {
  const jobs: JobContext[] = [];
  const handler = (job: JobContext): Promise<never> => {
    jobs.push(job);
    return new Promise((_, reject) => {
      job.signal.addEventListener('abort', () => reject(job.signal.reason));
    });
  };
  return { handler, jobs };
}

/** A handler that returns when the test says so, whatever its signal. */
function held() {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { handler: () => promise, finish: resolve };
}

/** Why a job was told to stop. */
function kindOf(job: JobContext | undefined): string | undefined {
  return job === undefined ? undefined : abortOf(job.signal)?.kind;
}

/** A refusal that wants to be left alone for so long. */
function asking(status: number, retryAfterSeconds: number): LeaseboardError {
  return new LeaseboardError({ code: 'throttled', status, message: 'Later', retryAfterSeconds });
}

function queueWith(...cards: string[]): FakeQueue {
  const queue = new FakeQueue();
  queue.waiting = cards;
  return queue;
}

describe('what a handler does settles the card', () => {
  test('returning completes it with the output', async () => {
    const queue = queueWith('a');
    await queue.worker(() => ({ pr: 7 })).run({ untilEmpty: true });
    expect(queue.called('complete')[0]?.input).toEqual({
      lease_token: 'token of lse_a_1',
      output: { pr: 7 },
    });
  });

  test('returning nothing completes it without an output', async () => {
    const queue = queueWith('a');
    await queue.worker(() => undefined).run({ untilEmpty: true });
    expect(queue.called('complete')[0]?.input).not.toHaveProperty('output');
  });

  test('it gets the trace of whoever made the card, and its own calls go on with that', async () => {
    const queue = queueWith('a');
    queue.traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    // So late an answer that the lease is renewed before anything else.
    queue.claimTakesMs = TTL_MS * 0.6;
    const given: unknown[] = [];
    await queue.worker((job) => void given.push(job.traceparent)).run({ untilEmpty: true });
    expect(given).toEqual([queue.traceparent]);
    expect([...queue.called('renew'), ...queue.called('complete')].map((call) => call.traceparent)).toEqual([
      queue.traceparent,
      queue.traceparent,
    ]);
  });

  test('a hand-off and another column go with the completion', async () => {
    const queue = queueWith('a');
    await queue
      .worker((job) => {
        job.handOff({ summary: 'done', properties: { pr: 7 } });
        job.moveTo('col_9');
      })
      .run({ untilEmpty: true });
    expect(queue.called('complete')[0]?.input).toMatchObject({
      summary: 'done',
      properties: { pr: 7 },
      column_id: 'col_9',
    });
  });

  test('throwing fails it for another attempt', async () => {
    const queue = queueWith('a');
    await queue
      .worker(() => {
        throw new TypeError('no such file');
      })
      .run({ untilEmpty: true });
    expect(queue.called('fail')[0]?.input).toEqual({
      lease_token: 'token of lse_a_1',
      reason: 'TypeError: no such file',
      kind: 'error',
    });
  });

  test('a PermanentError fails it for good', async () => {
    const queue = queueWith('a');
    await queue
      .worker(() => {
        throw new PermanentError('repository is gone');
      })
      .run({ untilEmpty: true });
    expect(queue.called('fail')[0]?.input).toMatchObject({ retryable: false });
    expect(queue.events).toContainEqual(expect.objectContaining({ type: 'failed', deadLettered: true }));
  });

  test('RetryAfter gives the attempt back and says when', async () => {
    const queue = queueWith('a');
    await queue
      .worker(() => {
        throw new RetryAfter(2.5, 'model is busy');
      })
      .run({ untilEmpty: true });
    expect(queue.called('fail')[0]?.input).toEqual({
      lease_token: 'token of lse_a_1',
      reason: 'model is busy',
      kind: 'rate_limited',
      retry_after_seconds: 3,
    });
  });

  test('a reason of many pages is cut to what the server takes, between characters', async () => {
    const queue = queueWith('a');
    await queue
      .worker(() => {
        throw new Error('ä'.repeat(5000));
      })
      .run({ untilEmpty: true });
    const reason = String(queue.called('fail')[0]?.input['reason']);
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(1000);
    expect(reason).toMatch(/^ä+…$/u);
  });

  test.each([
    ['nothing', undefined, 'Thrown: undefined'],
    ['a text', 'no luck', 'Thrown: no luck'],
    ['a symbol', Symbol('s'), 'Thrown: Symbol(s)'],
    ['an object without a prototype', Object.create(null), 'Thrown: something that cannot be put into words'],
    ['half a character', new Error('cut \ud83d'), 'cut \ufffd'],
    [
      'an error whose message is none',
      Object.assign(new Error('x'), { message: Object.create(null) }),
      'Thrown: ',
    ],
  ])('throwing %s fails it as well', async (_name, thrown, reason) => {
    const queue = queueWith('a');
    await queue
      .worker(() => {
        throw thrown;
      })
      .run({ untilEmpty: true });
    expect(queue.called('fail')[0]?.input['reason']).toContain(reason);
  });

  test('a RetryAfter of another copy of the module that says no time is for at once', async () => {
    const queue = queueWith('a');
    const handler = (): never => {
      throw Object.assign(new Error('later'), { name: 'RetryAfter', seconds: 'soon' });
    };
    await queue.worker(handler).run({ untilEmpty: true });
    expect(queue.called('fail')[0]?.input).toMatchObject({ kind: 'rate_limited', retry_after_seconds: 0 });
  });

  test('an output that the column refuses fails the attempt and says why', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'complete', error: refusal(422, 'output_invalid', '/pr: must be a number') }];
    await queue.worker(() => ({ pr: 'x' })).run({ untilEmpty: true });
    expect(queue.verbs().filter((verb) => verb !== 'claim')).toEqual(['complete', 'fail']);
    expect(queue.called('fail')[0]?.input['reason']).toContain('/pr: must be a number');
  });

  test('a card whose parents opened again is given back, not failed', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'complete', error: refusal(409, 'parents_open', 'crd_1 is open') }];
    await queue.worker(() => 1).run({ untilEmpty: true });
    expect(queue.verbs()).toContain('release');
    expect(queue.verbs()).not.toContain('fail');
  });

  test('a completion that finds no answer is tried until there is one', async () => {
    const queue = queueWith('a');
    const { handler, finish } = held();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    queue.unreachable = 'all';
    finish(1);
    await queue.clock.advance(TTL_MS * 3);
    queue.unreachable = 'none';
    await queue.clock.advance(60_000);
    await running;
    expect(queue.called('complete').length).toBeGreaterThan(2);
    expect(queue.events.filter((event) => event.type === 'completed')).toHaveLength(1);
  });
});

describe('typed payloads', () => {
  const payload = z.object({ repo: z.string(), issue: z.coerce.number() });

  test('reach the handler as the schema gives them back', async () => {
    const queue = queueWith('a');
    queue.properties = { repo: 'r', issue: '12' };
    const seen: unknown[] = [];
    await queue.worker((job) => void seen.push(job.payload), { payload }).run({ untilEmpty: true });
    expect(seen).toEqual([{ repo: 'r', issue: 12 }]);
  });

  test('that do not fit dead-letter the card without bothering the handler', async () => {
    const queue = queueWith('a');
    queue.properties = { issue: 1 };
    const seen: unknown[] = [];
    await queue.worker((job) => void seen.push(job), { payload }).run({ untilEmpty: true });
    expect(seen).toEqual([]);
    expect(queue.called('fail')[0]?.input).toMatchObject({ kind: 'invalid_input', retryable: false });
    expect(queue.called('fail')[0]?.input['reason']).toContain('repo: ');
  });
});

describe('heartbeats', () => {
  test('come at a third of the lease for as long as the handler works', async () => {
    const queue = queueWith('a');
    const { handler, finish } = held();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await queue.clock.advance(TTL_MS * 4);
    expect(queue.called('renew')).toHaveLength(12);
    finish(1);
    await running;
    expect(queue.verbs()).toContain('complete');
  });

  test('come a little early by chance, never late', async () => {
    const queue = queueWith('a');
    queue.clock.randomValue = 0.999;
    const { handler, finish } = held();
    const running = queue.worker(handler).run({ untilEmpty: true });
    const startMs = queue.clock.nowMs;
    await queue.clock.advance(TTL_MS / 3);
    const [first] = queue.called('renew');
    expect((first?.atMs ?? 0) - startMs).toBeGreaterThan(TTL_MS / 3 - TTL_MS * 0.07);
    expect((first?.atMs ?? 0) - startMs).toBeLessThan(TTL_MS / 3);
    finish(1);
    await running;
  });

  test('of several cards share one request', async () => {
    const queue = queueWith('a', 'b', 'c');
    const { handler, finish } = held();
    const running = queue.worker(handler, { concurrency: 3 }).run({ untilEmpty: true });
    await queue.clock.advance(TTL_MS / 3);
    expect(queue.called('renew')).toHaveLength(0);
    expect(queue.called('renew-batch').map((call) => call.leases.length)).toEqual([3]);
    finish(1);
    await running;
  });

  test('that fail are made again well before the lease ends, and the work goes on', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    queue.unreachable = 'all';
    await queue.clock.advance(TTL_MS * 0.9);
    expect(queue.called('renew').length).toBeGreaterThanOrEqual(3);
    queue.unreachable = 'none';
    await queue.clock.advance(TTL_MS * 2);
    expect(jobs[0]?.signal.aborted).toBe(false);
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
  });

  test('stay under three times the normal rate while nothing answers', async () => {
    const queue = queueWith('a');
    const { handler } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    queue.unreachable = 'all';
    await queue.clock.advance(TTL_MS - 1);
    expect(queue.called('renew').length).toBeLessThanOrEqual(9);
    queue.unreachable = 'none';
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(60_000);
    await Promise.all([stopping, running]);
  });

  test('are tried once more before the lease is over, whatever an answer asks for', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    queue.refusals = [{ verb: 'renew', error: asking(429, 3_600) }];
    const worker = queue.worker(handler);
    const running = worker.run();
    await queue.clock.advance(TTL_MS - 1_000);
    expect(queue.called('renew').length).toBeGreaterThan(1);
    expect(kindOf(jobs[0])).toBeUndefined();
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(1_000);
    await Promise.all([stopping, running]);
  });

  test('that fire late say that the event loop stood still', async () => {
    const queue = queueWith('a');
    const { handler, finish } = held();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    await queue.clock.stall(TTL_MS / 3 + 4_000);
    expect(queue.events).toContainEqual({ type: 'stalled', lateMs: 4_000 });
    finish(1);
    await running;
  });

  test('carry progress and notes, joined when they come in a flood', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    for (let percent = 1; percent <= 50; percent += 1) jobs[0]?.progress(percent, `step ${percent}`);
    await queue.clock.advance(1_000);
    expect(queue.called('renew').map((call) => call.input)).toEqual([
      { lease_token: 'token of lse_a_1', progress: 50, note: 'step 50' },
    ]);
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
  });

  test('carry a checkpoint at once, and tell when the server has it', async () => {
    const queue = queueWith('a');
    const { promise: saved, resolve } = Promise.withResolvers<void>();
    const running = queue
      .worker(async (job) => {
        await job.checkpoint({ branch: 'fix/1' });
        resolve();
      })
      .run({ untilEmpty: true });
    await queue.clock.advance(1);
    await saved;
    await running;
    expect(queue.called('renew')[0]?.input).toMatchObject({ checkpoint: '{"branch":"fix/1"}' });
  });

  test('that lose a checkpoint carry it again', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'renew', error: refusal(503, 'throttled', 'busy') }];
    const running = queue.worker((job) => job.checkpoint('at step 3')).run({ untilEmpty: true });
    await queue.clock.advance(TTL_MS / 3);
    await running;
    expect(queue.called('renew').map((call) => call.input['checkpoint'])).toEqual(['at step 3', 'at step 3']);
  });

  test('whose report the server does not take go on without it, and say so', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'renew', error: refusal(422, 'validation_failed', 'checkpoint is too large') }];
    const { handler, finish } = held();
    const told: unknown[] = [];
    const running = queue
      .worker((job) => {
        job.checkpoint('x'.repeat(9_000)).catch((error: unknown) => told.push(error));
        return handler();
      })
      .run({ untilEmpty: true });
    await queue.clock.advance(TTL_MS * 2);
    expect(told).toEqual([expect.objectContaining({ code: 'validation_failed' })]);
    expect(queue.called('renew')[1]?.input).not.toHaveProperty('checkpoint');
    expect(queue.events).toContainEqual(expect.objectContaining({ type: 'report_refused' }));
    finish(1);
    await running;
    expect(queue.verbs()).toContain('complete');
  });

  test('with something to tell go alone, so that a bad note costs no other card its renewal', async () => {
    const queue = queueWith('a', 'b', 'c');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler, { concurrency: 3 });
    const running = worker.run();
    await queue.clock.advance(TTL_MS / 3 - 1);
    jobs[0]?.note('at it');
    await queue.clock.advance(1);
    expect(queue.called('renew').map((call) => call.leases)).toEqual([['lse_a_1']]);
    expect(queue.called('renew-batch').map((call) => call.leases)).toEqual([['lse_b_2', 'lse_c_3']]);
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
  });

  test.each([
    ['{"branch":"fix/1"}', { branch: 'fix/1' }],
    ['[x] tests, [ ] docs', '[x] tests, [ ] docs'],
    ['half of it is done', 'half of it is done'],
  ])('hand over what a lost worker had saved: %s', async (saved, resumed) => {
    const queue = queueWith('a');
    queue.checkpoint = saved;
    const seen: unknown[] = [];
    await queue.worker((job) => void seen.push(job.resumed)).run({ untilEmpty: true });
    expect(seen).toEqual([resumed]);
  });
});

describe('the signal of a handler', () => {
  test('aborts when the lease is lost, and nothing more is written to the card', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    queue.takeAway('a');
    await queue.clock.advance(TTL_MS / 3);
    await running;
    expect(kindOf(jobs[0])).toBe('lease_lost');
    expect(queue.verbs()).toEqual(['claim', 'renew', 'claim']);
    expect(queue.events).toContainEqual(expect.objectContaining({ type: 'lost' }));
  });

  test('aborts for the one lost card of a batch and for no other', async () => {
    const queue = queueWith('a', 'b');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler, { concurrency: 2 });
    const running = worker.run();
    await settled();
    queue.takeAway('a');
    await queue.clock.advance(TTL_MS / 3);
    expect(jobs.map((job) => job.signal.aborted)).toEqual([true, false]);
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
  });

  test('aborts when a person asks to stop; the card is set aside for people with the reason', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    queue.cancelReason = 'wrong repository';
    await queue.clock.advance(TTL_MS / 3);
    await running;
    expect(kindOf(jobs[0])).toBe('cancelled');
    expect(queue.called('block')[0]?.input['reason']).toContain('wrong repository');
  });

  test('aborts at the deadline when no renewal got through, counted from when the claim was sent', async () => {
    const queue = queueWith('a');
    queue.claimTakesMs = 5_000;
    const sentAtMs = queue.clock.nowMs;
    const { handler, jobs } = endless();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await expect.poll(() => jobs.length).toBe(1);
    queue.claimTakesMs = 0;
    queue.unreachable = 'all';
    await queue.clock.advance(sentAtMs + TTL_MS - 1 - queue.clock.nowMs);
    expect(jobs.map((job) => job.signal.aborted)).toEqual([false]);
    await queue.clock.advance(1);
    expect(kindOf(jobs[0])).toBe('deadline');
    queue.unreachable = 'none';
    await queue.clock.advance(60_000);
    await running;
  });

  test('after a deadline the card is given back as soon as the API answers, so no attempt is burned', async () => {
    const queue = queueWith('a');
    const { handler } = endless();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    queue.unreachable = 'all';
    await queue.clock.advance(TTL_MS * 3);
    expect(queue.events.map((event) => event.type)).not.toContain('released');
    queue.unreachable = 'none';
    await queue.clock.advance(31_000);
    await running;
    expect(queue.events).toContainEqual(expect.objectContaining({ type: 'released', why: 'deadline' }));
    expect(queue.verbs()).not.toContain('fail');
  });

  test('work that was finished all the same is handed in after the deadline', async () => {
    const queue = queueWith('a');
    const { handler, finish } = held();
    const running = queue.worker(handler).run({ untilEmpty: true });
    await settled();
    queue.unreachable = 'all';
    await queue.clock.advance(TTL_MS + 1_000);
    queue.unreachable = 'none';
    finish('hours of work');
    await running;
    expect(queue.called('complete')[0]?.input).toMatchObject({ output: 'hours of work' });
  });

  test('a handler that ignores it is left behind, and the card is given back', async () => {
    const queue = queueWith('a');
    const { handler } = held();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(10_000);
    await Promise.all([stopping, running]);
    expect(queue.events.map((event) => event.type)).toEqual([
      'claimed',
      'draining',
      'handler_ignored_abort',
      'released',
    ]);
  });

  test('of a claim whose answer took most of the lease is renewed before the work starts', async () => {
    const queue = queueWith('a');
    queue.claimTakesMs = TTL_MS + 5_000;
    const signals: boolean[] = [];
    await queue.worker((job) => void signals.push(job.signal.aborted)).run({ untilEmpty: true });
    expect(queue.verbs().slice(0, 3)).toEqual(['claim', 'renew', 'complete']);
    expect(signals).toEqual([false]);
  });
});

describe('claims', () => {
  test('ask for as many cards as there are free slots', async () => {
    const queue = queueWith('a', 'b', 'c', 'd', 'e');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler, { concurrency: 4 });
    const running = worker.run();
    await settled();
    expect(queue.called('claim').map((call) => call.input['max'])).toEqual([4]);
    expect(jobs).toHaveLength(4);
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
  });

  test('go on when one slot is free again', async () => {
    const queue = queueWith('a', 'b', 'c');
    await queue.worker(() => 1, { concurrency: 2 }).run({ untilEmpty: true });
    expect(queue.called('complete')).toHaveLength(3);
  });

  test('wait as long as the empty answer asks', async () => {
    const queue = queueWith();
    const worker = queue.worker(() => 1);
    const running = worker.run();
    await queue.clock.advance(queue.retryAfterSeconds * 1000 - 1);
    expect(queue.called('claim')).toHaveLength(1);
    await queue.clock.advance(1);
    expect(queue.called('claim')).toHaveLength(2);
    await worker.stop();
    await running;
  });

  test('whose answer was lost are repeated with the same key and size', async () => {
    const queue = queueWith('a');
    queue.unreachable = 'claim';
    const running = queue.worker(() => 1, { concurrency: 3 }).run({ untilEmpty: true });
    await queue.clock.advance(1_000);
    queue.unreachable = 'none';
    await queue.clock.advance(60_000);
    await running;
    const [first, second] = queue.called('claim');
    expect(second?.input).toEqual(first?.input);
    expect(queue.called('claim').at(-1)?.input['key']).not.toBe(first?.input['key']);
  });

  test('that no waiting can mend end the run with the error', async () => {
    const queue = queueWith();
    queue.refusals = [{ verb: 'claim', error: refusal(401, 'unauthenticated', 'The token is revoked') }];
    await expect(queue.worker(() => 1).run()).rejects.toThrow('The token is revoked');
  });

  test('wait a while for an answer that asks for a year, and go on when the API is back', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'claim', error: asking(503, 31_536_000) }];
    const running = queue.worker(() => 1).run({ untilEmpty: true });
    await queue.clock.advance(300_000);
    await running;
    expect(queue.verbs()).toContain('complete');
  });

  test('that a page of some proxy answers are made again', async () => {
    const queue = queueWith('a');
    const page = new LeaseboardError({ code: 'unexpected_answer', status: 200, message: 'A page' });
    queue.refusals = [
      { verb: 'claim', error: page },
      { verb: 'complete', error: page },
    ];
    const running = queue.worker(() => 1).run({ untilEmpty: true });
    await queue.clock.advance(60_000);
    await running;
    expect(queue.called('complete')).toHaveLength(2);
    expect(queue.called('fail')).toEqual([]);
  });

  test('begin once there is an API: a worker may be started before it', async () => {
    const queue = queueWith('a');
    const away = new LeaseboardError({ code: 'network_error', status: 0, message: 'No answer' });
    let tries = 0;
    const connect = async () => {
      tries += 1;
      if (tries < 3) throw away;
      return queue.api;
    };
    const running = queue.worker(() => 1, {}, connect).run({ untilEmpty: true });
    await queue.clock.advance(60_000);
    await running;
    expect(queue.verbs()).toContain('complete');
    expect(queue.events.filter(({ type }) => type === 'claim_failed')).toHaveLength(2);
  });

  test('never begin when the worker is stopped while it waits for its API', async () => {
    const queue = queueWith('a');
    const away = new LeaseboardError({ code: 'network_error', status: 0, message: 'No answer' });
    const worker = queue.worker(
      () => 1,
      {},
      () => Promise.reject(away),
    );
    const running = worker.run();
    await settled();
    await worker.stop();
    await running;
    expect(queue.calls).toEqual([]);
  });

  test('of a queue that is switched off wait for it to be switched on', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'claim', error: refusal(409, 'contract_disabled', 'No queue') }];
    const running = queue.worker(() => 1).run({ untilEmpty: true });
    await queue.clock.advance(30_000);
    await running;
    expect(queue.verbs()).toContain('complete');
  });
});

describe('shutdown', () => {
  test('claims nothing more and lets the work in hand finish, heartbeats included', async () => {
    const queue = queueWith('a', 'b');
    const { handler, finish } = held();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    const stopping = worker.stop({ graceSeconds: 60 });
    await queue.clock.advance(TTL_MS);
    expect(queue.called('renew').length).toBeGreaterThanOrEqual(2);
    finish(1);
    await Promise.all([stopping, running]);
    expect(queue.verbs()).toContain('complete');
    expect(queue.waiting).toEqual(['b']);
  });

  test('aborts what is not finished in time, and releases it: no attempt is burned', async () => {
    const queue = queueWith('a');
    const { handler, jobs } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    const stopping = worker.stop();
    await queue.clock.advance(TTL_MS - 10_000 - 1);
    expect(jobs[0]?.signal.aborted).toBe(false);
    await queue.clock.advance(1);
    await Promise.all([stopping, running]);
    expect(kindOf(jobs[0])).toBe('shutdown');
    expect(queue.called('release')).toHaveLength(1);
    expect(queue.verbs()).not.toContain('fail');
  });

  test('gives back a card that arrives while stopping', async () => {
    const queue = queueWith('a');
    const seen: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    queue.claimGate = gate.promise;
    const worker = queue.worker((job) => void seen.push(job));
    const running = worker.run();
    await settled();
    const stopping = worker.stop();
    gate.resolve();
    await Promise.all([stopping, running]);
    expect(seen).toEqual([]);
    expect(queue.verbs()).toEqual(['claim', 'release']);
  });

  test('does not hang for ever on an API that is gone', async () => {
    const queue = queueWith('a');
    const { handler } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    queue.unreachable = 'all';
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(60_000);
    await Promise.all([stopping, running]);
    expect(queue.events.at(-1)).toMatchObject({ type: 'unsettled' });
  });

  test('leaves no timer behind', async () => {
    const queue = queueWith('a');
    const { handler } = endless();
    const worker = queue.worker(handler);
    const running = worker.run();
    await settled();
    const stopping = worker.stop({ graceSeconds: 0 });
    await queue.clock.advance(0);
    await Promise.all([stopping, running]);
    expect(queue.clock.pendingTimers).toBe(0);
  });

  test('begins at SIGTERM, and steps aside for a second one', async () => {
    const queue = queueWith();
    const listeners = (): number[] => [process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')];
    const before = listeners();
    const worker = queue.worker(() => 1, { handleSignals: true });
    const running = worker.run();
    await settled();
    expect(listeners()).toEqual(before.map((count) => count + 1));
    process.emit('SIGTERM');
    expect(listeners()).toEqual(before);
    await running;
    expect(queue.events).toContainEqual({ type: 'draining', held: 0 });
  });

  test('is not held up by an answer that asks for a year', async () => {
    const queue = queueWith('a');
    queue.refusals = [{ verb: 'complete', error: asking(503, 31_536_000) }];
    const running = queue.worker(() => 1).run({ untilEmpty: true });
    await queue.clock.advance(300_000);
    await running;
    expect(queue.called('complete')).toHaveLength(2);
  });

  test('is not disturbed by a listener that throws later', async () => {
    const queue = queueWith('a');
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    const onEvent = async (): Promise<never> => Promise.reject(new Error('listener'));
    await queue.worker(() => 1, { onEvent }).run({ untilEmpty: true });
    await settled();
    expect(queue.verbs()).toContain('complete');
    expect(said).toHaveBeenCalledWith('leaseboard worker: onEvent threw', expect.any(Error));
  });

  test('is not disturbed by a listener that throws', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const queue = queueWith('a');
    const told: string[] = [];
    const worker = queue.worker(() => 1, {
      onEvent: (event) => {
        told.push(event.type);
        throw new Error('listener');
      },
    });
    await worker.run({ untilEmpty: true });
    expect(told).toEqual(['claimed', 'completed']);
  });
});
