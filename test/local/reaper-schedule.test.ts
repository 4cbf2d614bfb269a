import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startReaperSchedule } from '../../local/reaper-schedule.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function startReaper(handler: (event: unknown) => Promise<unknown>) {
  const logged: unknown[] = [];
  const reaper = { name: 'reaper', handler, timeoutSeconds: 600, memoryMb: 512 };
  const schedule = startReaperSchedule(reaper, 60, (_what, error) => logged.push(error));
  return { schedule, logged };
}

test('it runs once every so many seconds, with a scheduled event', async () => {
  const handler = vi.fn(async (_event: unknown) => undefined);
  const { schedule } = startReaper(handler);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(handler).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(120_001);
  expect(handler).toHaveBeenCalledTimes(3);
  expect(handler.mock.calls[0]?.[0]).toMatchObject({ source: 'aws.scheduler' });
  await schedule.stop();
});

test('two runs are never under way at once', async () => {
  const first = Promise.withResolvers<void>();
  const handler = vi.fn(async () => first.promise);
  const { schedule } = startReaper(handler);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(handler).toHaveBeenCalledTimes(1);
  first.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(handler).toHaveBeenCalledTimes(2);
  await schedule.stop();
});

test('a run that fails is logged and the next one comes', async () => {
  const handler = vi.fn(async () => Promise.reject(new Error('table gone')));
  const { schedule, logged } = startReaper(handler);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(handler).toHaveBeenCalledTimes(2);
  expect(String(logged[0])).toContain('table gone');
  await schedule.stop();
});

test('stopping waits for the run under way and lets none follow', async () => {
  const first = Promise.withResolvers<void>();
  const handler = vi.fn(async () => first.promise);
  const { schedule } = startReaper(handler);
  await vi.advanceTimersByTimeAsync(60_000);
  let stopped = false;
  const stopping = schedule.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(300_000);
  expect(stopped).toBe(false);
  first.resolve();
  await stopping;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(handler).toHaveBeenCalledTimes(1);
});
