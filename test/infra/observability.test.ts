import { describe, expect, test } from 'vitest';
import { metricFields } from '../../functions/metrics.ts';
import { signedFetch } from '../../examples/deploy/signed-fetch.ts';
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
    const other = await createQueue(world);
    await seedCards(world, queue.column, 3);
    await seedCards(world, other.column, 2);
    await claimFrom(world.main, world.agent('ada'), queue);
    world.clock.advance(60_000);

    const { total: gauges, columns } = await queueGauges(world.main, Infinity);

    expect(gauges).toMatchObject({ ready: 4, leased: 1, dead: 0 });
    expect(columns.get(other.column.column_id)).toMatchObject({ ready: 2, leased: 0 });
    // Seeding takes some of the world's own time.
    expect(gauges.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(gauges.ageMs).toBeLessThan(61_000);
  });
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
