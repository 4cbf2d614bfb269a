import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { allowedTo } from './support/policies.ts';
import { Synthesized, render } from './support/synth.ts';

const synthesized = new Synthesized();
const { deliveries } = synthesized.stack.leaseboard;
const queueArn = `${synthesized.logicalId(deliveries.queue)}.Arn`;
const properties = (id: string) => synthesized.resources.get(id)?.Properties ?? {};

describe('the queue of deliveries', () => {
  const queue = properties(synthesized.logicalId(deliveries.queue));

  test('hides a message for six times as long as the sender may take, as AWS asks', () => {
    expect(queue['VisibilityTimeout']).toBe(6 * FUNCTIONS.sender.timeoutSeconds);
  });

  test('gives up a message after five receives, to a queue that somebody is alarmed of', () => {
    const deadLetters = synthesized.logicalId(deliveries.deadLetters);
    expect(queue['RedrivePolicy']).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] },
      maxReceiveCount: FUNCTIONS.sender.queue.maxReceives,
    });
    expect(properties(synthesized.logicalId(deliveries.deadLettersAlarm))).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetters, 'QueueName'] } }],
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
    });
  });

  test('takes no request without TLS', () => {
    const policies = synthesized.ofType('AWS::SQS::QueuePolicy').map(([, policy]) => policy.Properties);
    const denied = policies.filter((policy) =>
      JSON.stringify(policy).includes('"aws:SecureTransport":"false"'),
    );
    const covered = denied.flatMap((policy) => (policy['Queues'] as unknown[]).map(render));
    expect(covered).toEqual(
      expect.arrayContaining(
        [deliveries.queue, deliveries.deadLetters].map((one) => synthesized.logicalId(one)),
      ),
    );
  });

  test('starts the sender with batches, of which it may name the ones that failed', () => {
    const mappings = synthesized
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(([, mapping]) => mapping.Properties)
      .filter((mapping) => render(mapping['EventSourceArn']) === queueArn);
    expect(mappings).toHaveLength(1);
    expect(mappings[0]).toMatchObject({
      BatchSize: FUNCTIONS.sender.queue.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      FunctionName: { Ref: synthesized.logicalId(synthesized.stack.leaseboard.functions.sender) },
    });
  });
});

describe('the schedules of deliveries that wait for hours', () => {
  test('may put messages into the queue, and nothing else', () => {
    const role = synthesized.logicalId(deliveries.scheduleRole);
    expect(allowedTo(synthesized, role)).toEqual([`Allow sqs:SendMessage ${queueArn}`]);
  });

  test('are taken on by the scheduler of this account only', () => {
    const role = properties(synthesized.logicalId(deliveries.scheduleRole));
    expect(role['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });

  test('have their role handed out by the sender, and only to the scheduler', () => {
    const passing = synthesized
      .ofType('AWS::IAM::Policy')
      .flatMap(([, policy]) => (policy.Properties['PolicyDocument'] as { Statement: object[] }).Statement)
      .filter((statement) => JSON.stringify(statement).includes('iam:PassRole'));
    expect(passing).toEqual([
      {
        Effect: 'Allow',
        Action: 'iam:PassRole',
        Resource: { 'Fn::GetAtt': [synthesized.logicalId(deliveries.scheduleRole), 'Arn'] },
        Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      },
    ]);
  });
});

test('webhooks of a deployment go to public hosts only', () => {
  for (const name of ['api', 'sender'] as const) {
    const { Environment } = synthesized.functionResource(name).Properties;
    expect(Environment).toMatchObject({ Variables: { WEBHOOK_TARGETS: 'public' } });
  }
});
