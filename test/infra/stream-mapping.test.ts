import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import type { EventPattern } from '../../functions/event-pattern.ts';
import { LeaseboardStack } from '../../infra/stack.ts';
import { matchesPattern } from '../../local/event-pattern.ts';
import { SILENT_OPS } from '../../shared/lifecycle.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { readStream } from '../support/stream.ts';
import { claimFrom, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { allowedTo, queuePolicyOf } from './support/policies.ts';
import { Synthesized, createApp, render, type Resource } from './support/synth.ts';

const synthesized = new Synthesized();
const { fanout } = synthesized.stack.leaseboard.functions;
const mappings = synthesized
  .ofType('AWS::Lambda::EventSourceMapping')
  .filter(([, { Properties }]) => render(Properties['EventSourceArn']).endsWith('.StreamArn'));
const [mappingId, mappingResource] = mappings[0] ?? ['no mapping', undefined];
const mapping: Resource['Properties'] = mappingResource?.Properties ?? {};
const failures = synthesized.stack.leaseboard.streamMappings.get('fanout')?.failureQueue;
const failuresId = failures === undefined ? 'no queue' : synthesized.logicalId(failures);

/** True when the template lets a record through. */
function isLetThrough(record: { dynamodb?: unknown }): boolean {
  const { Filters } = mapping['FilterCriteria'] as { Filters: { Pattern: string }[] };
  // Of a record of DynamoDB, a mapping shows its filters this part.
  const shown = { dynamodb: record.dynamodb };
  return Filters.some(({ Pattern }) => matchesPattern(JSON.parse(Pattern) as EventPattern, shown));
}

/** A record of JOB or of another item, as the stream carries it. */
function written(sk: string, op: string | null, eventName = 'MODIFY') {
  const Keys = { pk: { S: 'crd_1' }, sk: { S: sk } };
  const image = { ...Keys, ...(op === null ? {} : { op: { S: op } }), sequence: { N: '3' } };
  const images = eventName === 'REMOVE' ? { OldImage: image } : { OldImage: image, NewImage: image };
  return { eventName, dynamodb: { Keys, ...images, SequenceNumber: '1' } };
}

describe('the mapping of the table’s stream', () => {
  test('is one', () => {
    expect(mappings).toHaveLength(1);
  });

  test('starts the fan-out, from the oldest record on, in batches that may fail in part', () => {
    expect(mapping).toMatchObject({
      FunctionName: { Ref: synthesized.logicalId(fanout) },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: FUNCTIONS.fanout.stream.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
    });
    expect(render(mapping['EventSourceArn'])).toMatch(/^LeaseboardTable.*\.StreamArn$/);
  });

  test('gives up what fails for hours, and notes where it is in a queue that forgets after two weeks', () => {
    expect(mapping).toMatchObject({
      MaximumRetryAttempts: 1_000,
      MaximumRecordAgeInSeconds: 6 * 3_600,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [failuresId, 'Arn'] } } },
    });
    expect(synthesized.resources.get(failuresId)?.Properties).toMatchObject({
      MessageRetentionPeriod: 14 * 86_400,
    });
    expect(queuePolicyOf(synthesized, failuresId)).toMatchObject({
      Statement: [{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
    });
  });

  test('is made after the permissions that Lambda looks at', () => {
    const resource = synthesized.resources.get(mappingId);
    const policies = synthesized.ofType('AWS::IAM::Policy').map(([id]) => id);

    expect(resource).toHaveProperty('DependsOn');
    const dependsOn = (resource as unknown as { DependsOn: string[] }).DependsOn;
    expect(policies).toEqual(expect.arrayContaining(dependsOn));
  });

  test('raises an alarm when events are minutes late, and another when any were given up', () => {
    const alarms = synthesized.ofType('AWS::CloudWatch::Alarm').map(([, alarm]) => alarm.Properties);
    expect(alarms).toContainEqual(
      expect.objectContaining({
        MetricName: 'IteratorAge',
        Namespace: 'AWS/Lambda',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: synthesized.logicalId(fanout) } }],
        Statistic: 'Maximum',
        Threshold: 120_000,
        ComparisonOperator: 'GreaterThanThreshold',
      }),
    );
    expect(alarms).toContainEqual(
      expect.objectContaining({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [failuresId, 'QueueName'] } }],
        Threshold: 0,
      }),
    );
  });
});

describe('the filter as it is deployed', () => {
  test('drops heartbeats of a real stream and keeps its transitions (aws-cdk #31458, #26408)', async () => {
    const world = await createWorld({ stream: true });
    const queue = await createQueue(world);
    const [cardId = ''] = await seedCards(world, queue.column, 1);
    const worker = world.agent('worker-1');
    const held = await claimFrom(world.main, worker, queue);
    if (held === null) throw new Error('nothing was offered');
    await renew(world.main, worker, held);
    const records = await readStream(world.table);

    const ofJob = records.filter(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S === cardId);
    const ops = (wanted: boolean) =>
      ofJob
        .filter((record) => isLetThrough(record) === wanted)
        .flatMap(({ dynamodb }) => dynamodb?.NewImage?.['op']?.S ?? []);
    expect(ops(true)).toEqual(['create', 'claim']);
    expect(ops(false)).toEqual(['renew']);
    const kept = records.filter(isLetThrough).map(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S);
    expect(new Set(kept)).toEqual(new Set(['JOB', 'BOARD']));
  });

  test.each([...SILENT_OPS])('drops the op %s, which is no transition', (op) => {
    expect(isLetThrough(written('JOB', op))).toBe(false);
  });

  test('keeps an op that it has never heard of', () => {
    expect(isLetThrough(written('JOB', 'invented_next_year'))).toBe(true);
    expect(isLetThrough(written('BOARD', 'invented_next_year'))).toBe(true);
  });

  test.each(['EVT#000000001', '000000000001', 'SLOT#1', 'CARD', 'COLUMN', 'FEED'])(
    'drops whatever becomes of the item %s',
    (sk) => {
      expect(isLetThrough(written(sk, null))).toBe(false);
      expect(isLetThrough(written(sk, 'create'))).toBe(false);
    },
  );

  test('drops what is deleted, by whomever', () => {
    expect(isLetThrough(written('JOB', 'delete', 'REMOVE'))).toBe(false);
  });

  test('is small enough for Lambda, which takes 4,096 characters a pattern', () => {
    const { Filters } = mapping['FilterCriteria'] as { Filters: { Pattern: string }[] };
    expect(Filters.length).toBeLessThanOrEqual(5);
    for (const { Pattern } of Filters) expect(Pattern.length).toBeLessThan(4_096);
  });
});

test('a given bus is used, and none is made', () => {
  const app = createApp();
  const other = new Stack(app, 'Other');
  // A stack needs a resource, and a bus that is imported is none.
  const own = new EventBus(other, 'Own');
  const bus = EventBus.fromEventBusName(own, 'Bus', 'theirs');
  const stack = new LeaseboardStack(app, 'Leaseboard', { eventBus: bus });
  const given = new Synthesized({}, stack);

  expect(given.ofType('AWS::Events::EventBus')).toEqual([]);
  const role = render(given.functionResource('fanout').Properties['Role']).replace('.Arn', '');
  expect(allowedTo(given, role).filter((allowed) => allowed.includes('events:'))).toEqual([
    expect.stringMatching(/^Allow events:PutEvents .*:event-bus\/theirs$/),
  ]);
});
