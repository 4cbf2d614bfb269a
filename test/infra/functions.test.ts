import { Duration, type CfnResource } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, test } from 'vitest';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../../functions/manifest.ts';
import { allowedTo } from './support/policies.ts';
import { Synthesized, render } from './support/synth.ts';

const MANIFEST = Object.entries(FUNCTIONS) as [FunctionName, FunctionSpec][];
const LOG_GROUP = 'AWS::Logs::LogGroup';

function environmentOf(synthesized: Synthesized, name: FunctionName): Record<string, unknown> {
  const environment = synthesized.functionResource(name).Properties['Environment'];
  return (environment as { Variables: Record<string, unknown> }).Variables;
}

function roleOf(synthesized: Synthesized, name: FunctionName): string {
  return render(synthesized.functionResource(name).Properties['Role']).replace('.Arn', '');
}

function logGroupOf(synthesized: Synthesized, name: FunctionName): string {
  const logging = synthesized.functionResource(name).Properties['LoggingConfig'];
  return render((logging as { LogGroup: unknown }).LogGroup);
}

/** The manifest's row as the policy must read, and nothing else. */
function permitted(synthesized: Synthesized, name: FunctionName, spec: FunctionSpec): string[] {
  const { table, leaseKeySecret, deadLetterQueues, eventBus, streamMappings, deliveries } =
    synthesized.stack.leaseboard;
  const tableArn = `${synthesized.logicalId(table)}.Arn`;
  const allowed = [
    `logs:CreateLogStream ${logGroupOf(synthesized, name)}.Arn`,
    `logs:PutLogEvents ${logGroupOf(synthesized, name)}.Arn`,
    ...spec.table.map((action) => `dynamodb:${action} ${tableArn}`),
    ...spec.indexes.map((index) => `dynamodb:Query ${tableArn}/index/${index}`),
  ];
  if (spec.leaseKey) allowed.push(`secretsmanager:GetSecretValue ${synthesized.logicalId(leaseKeySecret)}`);
  if (spec.adminToken) {
    const secret = synthesized.stack.leaseboard.adminTokenSecret;
    if (secret !== null) allowed.push(`secretsmanager:GetSecretValue ${synthesized.logicalId(secret)}`);
  }
  const bucket = `${synthesized.logicalId(synthesized.stack.leaseboard.attachments.bucket)}.Arn`;
  for (const action of spec.bucket)
    allowed.push(`s3:${action} ${bucket}${action === 'ListBucket' ? '' : '/*'}`);
  if (spec.eventBus) allowed.push(`events:PutEvents ${synthesized.logicalId(eventBus)}.Arn`);
  const deliveryQueueArn = `${synthesized.logicalId(deliveries.queue)}.Arn`;
  if (spec.deliveries !== 'none') allowed.push(`sqs:SendMessage ${deliveryQueueArn}`);
  if (spec.deliveries === 'schedule') {
    const group = synthesized.logicalIdOf(deliveries.scheduleGroup);
    const arn = 'arn:AWS::Partition:scheduler:AWS::Region:AWS::AccountId:schedule';
    allowed.push(`scheduler:CreateSchedule ${arn}/${group}/delivery-*`);
    allowed.push(`iam:PassRole ${synthesized.logicalId(deliveries.scheduleRole)}.Arn`);
  }
  if (spec.queue !== null) {
    for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'])
      allowed.push(`sqs:${action} ${deliveryQueueArn}`);
  }
  const mapping = streamMappings.get(name);
  if (mapping !== undefined) {
    for (const action of ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'])
      allowed.push(`dynamodb:${action} ${synthesized.logicalId(table)}.StreamArn`);
    const queueArn = `${synthesized.logicalId(mapping.failureQueue)}.Arn`;
    for (const action of ['SendMessage', 'GetQueueAttributes', 'GetQueueUrl'])
      allowed.push(`sqs:${action} ${queueArn}`);
  }
  const deadLetters = deadLetterQueues.get(name);
  if (deadLetters !== undefined) {
    const queueArn = `${synthesized.logicalId(deadLetters)}.Arn`;
    for (const action of ['SendMessage', 'GetQueueAttributes', 'GetQueueUrl'])
      allowed.push(`sqs:${action} ${queueArn}`);
  }
  return allowed.map((permission) => `Allow ${permission}`).toSorted();
}

describe.each(MANIFEST)('the function %s', (name, spec) => {
  const synthesized = new Synthesized();

  test('runs on the newest Node LTS, on arm64, with the memory and time of its manifest row', () => {
    expect(synthesized.functionResource(name).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      MemorySize: spec.memoryMb,
      Timeout: spec.timeoutSeconds,
    });
  });

  test('has exactly the environment variables that the manifest names', () => {
    expect(Object.keys(environmentOf(synthesized, name)).toSorted()).toEqual(
      [...spec.environment].toSorted(),
    );
  });

  test('may do exactly what the manifest says', () => {
    expect(allowedTo(synthesized, roleOf(synthesized, name))).toEqual(permitted(synthesized, name, spec));
  });

  test('has no managed policy and no other source of permissions', () => {
    const role = synthesized.resources.get(roleOf(synthesized, name));
    expect(role?.Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(role?.Properties).not.toHaveProperty('Policies');
  });

  test('logs JSON to a group of its own that forgets after a month', () => {
    expect(synthesized.functionResource(name).Properties['LoggingConfig']).toMatchObject({
      LogFormat: 'JSON',
    });
    expect(synthesized.resources.get(logGroupOf(synthesized, name))).toMatchObject({
      Type: LOG_GROUP,
      Properties: { RetentionInDays: 30 },
    });
  });

  test('takes no share of the account’s concurrency unless one is asked for', () => {
    expect(synthesized.functionResource(name).Properties).not.toHaveProperty('ReservedConcurrentExecutions');

    const reserved = new Synthesized({ [`${name}ReservedConcurrency`]: 7 });
    for (const [other] of MANIFEST) {
      expect(reserved.functionResource(other).Properties['ReservedConcurrentExecutions']).toBe(
        other === name ? 7 : undefined,
      );
    }
  });
});

describe('what the functions are told', () => {
  test('the table and the secret of their own stack', () => {
    const synthesized = new Synthesized();
    const { table, leaseKeySecret } = synthesized.stack.leaseboard;

    expect(environmentOf(synthesized, 'claim')).toMatchObject({
      TABLE_NAME: { Ref: synthesized.logicalId(table) },
      LEASE_KEY_SECRET_ID: { Ref: synthesized.logicalId(leaseKeySecret) },
    });
  });

  test('to hold no claim open, unless the deployer has set how long', () => {
    const waiting = new Synthesized({ longPollMaxWait: Duration.seconds(20) });

    expect(environmentOf(new Synthesized(), 'claim')).toMatchObject({ MAX_WAIT_SECONDS: '0' });
    expect(environmentOf(waiting, 'claim')).toMatchObject({ MAX_WAIT_SECONDS: '20' });
  });

  test('never to hold one longer than the API allows', () => {
    expect(() => new Synthesized({ longPollMaxWait: Duration.seconds(21) })).toThrow(
      /longPollMaxWait is 21 s/,
    );
  });
});

test('the retention of every log group is the deployer’s to set', () => {
  const synthesized = new Synthesized({ logRetention: RetentionDays.ONE_WEEK });
  const retentions = synthesized.ofType(LOG_GROUP).map(([, group]) => group.Properties['RetentionInDays']);

  expect(new Set(retentions)).toEqual(new Set([7]));
});

test('the lease key is generated in the account, in the shape that the engine reads', () => {
  const { stack, resources } = new Synthesized();
  const { leaseKeySecret } = stack.leaseboard;
  const id = stack.getLogicalId(leaseKeySecret.node.defaultChild as CfnResource);
  const secret = resources.get(id);

  expect(secret?.Properties).not.toHaveProperty('SecretString');
  expect(secret?.Properties['GenerateSecretString']).toEqual({
    SecretStringTemplate: '{"current":"k1"}',
    GenerateStringKey: 'k1',
    PasswordLength: 64,
    ExcludePunctuation: true,
  });
});
