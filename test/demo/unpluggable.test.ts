import { expect, test } from 'vitest';
import { unpluggable } from '../../demo/unpluggable.ts';
import { FakeQueue } from '../client/support/fake-queue.ts';
import { ManualClock, settled } from '../client/support/platforms.ts';

/** What became of a promise by now. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = 'pending';
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  );
  await settled();
  return state;
}

test('plugged in, requests and timers work as ever', async () => {
  const clock = new ManualClock();
  const { platform } = unpluggable({ ...clock.platform, fetch: async () => new Response('here') });
  let fired = 0;
  platform.setTimer(10, () => (fired += 1));
  await clock.advance(10);
  expect(fired).toBe(1);
  expect(await (await platform.fetch('http://127.0.0.1')).text()).toBe('here');
});

test('unplugged, timers that were set never fire and new ones neither', async () => {
  const clock = new ManualClock();
  const { platform, unplug } = unpluggable(clock.platform);
  let fired = 0;
  platform.setTimer(10, () => (fired += 1));
  unplug();
  platform.setTimer(10, () => (fired += 1));
  await clock.advance(1_000);
  expect(fired).toBe(0);
});

test('unplugged, an answer on its way never arrives and nothing more is sent', async () => {
  const sent: unknown[] = [];
  const answer = Promise.withResolvers<Response>();
  const { platform, unplug } = unpluggable({
    ...new ManualClock().platform,
    fetch: (input) => {
      sent.push(input);
      return answer.promise;
    },
  });
  const first = platform.fetch('http://127.0.0.1/1');
  await settled();
  unplug();
  const second = platform.fetch('http://127.0.0.1/2');
  answer.resolve(new Response('too late'));
  expect(await stateOf(first)).toBe('pending');
  expect(await stateOf(second)).toBe('pending');
  expect(sent).toEqual(['http://127.0.0.1/1']);
});

test('a worker that is unplugged in the middle of a card neither beats nor settles it', async () => {
  const queue = new FakeQueue();
  queue.waiting = ['a'];
  const { platform, unplug } = unpluggable(queue.clock.platform);
  const worker = queue.worker(
    () => {
      unplug();
      return new Promise<never>(() => {});
    },
    { client: queue.client(platform) },
  );
  const running = worker.run();
  await queue.clock.advance(300_000);
  expect(await stateOf(running)).toBe('pending');
  expect(queue.verbs()).toEqual(['claim']);
});
