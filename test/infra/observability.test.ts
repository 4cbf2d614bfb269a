import { describe, expect, test } from 'vitest';
import { metricFields } from '../../functions/metrics.ts';
import { signedFetch } from '../../examples/deploy/signed-fetch.ts';
import { countExpired } from '../../functions/fanout/count-expired.ts';
import type { OutgoingEvent } from '../../shared/events/log.ts';
import { MEASURED_COLUMNS_MAX } from '../../shared/stats/policy.ts';
import { queueGauges } from '../../shared/stats/queue-gauges.ts';
import { claimFrom } from '../support/worker.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { createWorld } from '../support/world.ts';

test('metrics are written as CloudWatch reads them out of a log', () => {
  expect(metricFields('Leaseboard/x', 5, { ready: 3, queueAge: 60 })).toEqual({
    _aws: {
      Timestamp: 5,
      CloudWatchMetrics: [
        {
          Namespace: 'Leaseboard/x',
          Dimensions: [[]],
          Metrics: [
            { Name: 'Ready', Unit: 'Count' },
            { Name: 'QueueAge', Unit: 'Seconds' },
          ],
        },
      ],
    },
    Ready: 3,
    QueueAge: 60,
  });
});

test('metrics of one column carry its id as their dimension', () => {
  const fields = metricFields('Leaseboard/x', 5, { ready: 3 }, 'col_1');

  expect(fields).toMatchObject({
    Column: 'col_1',
    _aws: { CloudWatchMetrics: [{ Dimensions: [['Column']] }] },
  });
});

describe('the gauges of all queues', () => {
  test('count what is ready, leased and dead, and tell how long the oldest has waited', async () => {
    const world = await createWorld();
    const queue = await createQueue(world, { max_attempts: 1 });
    const other = await createQueue(world, { metrics: true });
    await seedCards(world, queue.column, 3);
    await seedCards(world, other.column, 2);
    await claimFrom(world.main, world.agent('ada'), queue);
    world.clock.advance(60_000);

    const { total: gauges, columns } = await queueGauges(world.main, Infinity);

    expect(gauges).toMatchObject({ ready: 4, leased: 1, dead: 0 });
    expect([...columns]).toEqual([
      [other.column.column_id, expect.objectContaining({ ready: 2, leased: 0 })],
    ]);
    // Seeding takes some of the world's own time.
    expect(gauges.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(gauges.ageMs).toBeLessThan(61_000);
  });
});

test('at most so many columns are measured by themselves, those made first', async () => {
  const world = await createWorld();
  const ids: string[] = [];
  for (let at = 0; at < MEASURED_COLUMNS_MAX + 2; at += 1) {
    world.clock.advance(1);
    ids.push((await createQueue(world, { metrics: true })).column.column_id);
  }
  const { columns, unmeasured } = await queueGauges(world.main, Infinity);

  expect([...columns.keys()]).toEqual(ids.slice(0, MEASURED_COLUMNS_MAX));
  expect(unmeasured).toBe(2);
});

test('leases that ended unheard are counted, and by column where the contract asks', async () => {
  const world = await createWorld();
  const measured = await createQueue(world, { metrics: true });
  const other = await createQueue(world);
  const event = (columnId: string | null, type = 'card.lease.expired') =>
    ({ type, text: JSON.stringify({ column_id: columnId }) }) as OutgoingEvent;
  const [own, others] = [measured.column.column_id, other.column.column_id];
  const events = [event(own), event(own), event(others), event(null), event(own, 'card.lease.claimed')];

  expect(await countExpired(world.main, events)).toEqual({ total: 4, columns: new Map([[own, 2]]) });
});

test('the worker of the example signs for the address under /aws, and sends no token', async () => {
  const sent: Request[] = [];
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    sent.push(new Request(input, init));
    return new Response('{}');
  };
  try {
    const env = {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'session',
    };
    await signedFetch(env)('https://api.example.com/v1/leases?x=1', {
      method: 'POST',
      headers: { authorization: 'Bearer none', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
  } finally {
    globalThis.fetch = original;
  }

  const [request] = sent;
  expect(request?.url).toBe('https://api.example.com/aws/v1/leases?x=1');
  expect(await request?.text()).toBe('{"a":1}');
  expect(request?.headers.get('authorization')).toMatch(
    /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/execute-api\//,
  );
  expect(request?.headers.get('x-amz-security-token')).toBe('session');
});
