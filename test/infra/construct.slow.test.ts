import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { BoardTable, Column, EventType, Leaseboard, LeaseboardStack, Scope } from '../../infra/index.ts';
import type { LeaseboardProps } from '../../infra/index.ts';
import { DEFAULT_CONTRACT } from '../../shared/contract/contract-fields.ts';
import { build, codesOf } from './support/own-stack.ts';
import { createApp, render } from './support/synth.ts';

describe('a board as code', () => {
  test('reaches the setup function with its columns and their contracts', () => {
    const { stack, leaseboard } = build();
    const drafts = Column.queue('Drafts', {
      leaseTtl: Duration.minutes(5),
      maxAttempts: 3,
      backoff: [Duration.seconds(10), Duration.minutes(1)],
      maxRuntime: Duration.hours(1),
      concurrencyLimit: 4,
      onSuccess: 'Done',
      inputSchema: { type: 'object' },
    });
    const board = leaseboard.addBoard('Articles', {
      name: 'All articles',
      columns: [Column.plain('Ideas'), drafts, Column.done('Done')],
    });

    const [code = ''] = codesOf(stack, 'board');
    expect(JSON.parse(code)).toEqual({
      slug: 'articles',
      name: 'All articles',
      columns: [
        { name: 'Ideas' },
        {
          name: 'Drafts',
          role: 'work',
          contract: {
            enabled: true,
            lease_ttl_seconds: 300,
            max_attempts: 3,
            backoff_seconds: [10, 60],
            max_runtime_seconds: 3_600,
            concurrency_limit: 4,
            on_success: 'Done',
            input_schema: { type: 'object' },
          },
        },
        { name: 'Done', role: 'done' },
      ],
    });
    expect(render(stack.resolve(board.columnId(drafts)))).toMatch(/\.Column1$/);
    expect(() => board.columnId(Column.plain('Elsewhere'))).toThrow(/given no column 'Elsewhere'/);
  });
});

test('a queue as code can say all that a contract can, since what is left out is put back to its default', () => {
  const column = Column.queue('All', {
    leaseTtl: Duration.minutes(1),
    maxAttempts: 3,
    backoff: [Duration.seconds(1)],
    backoffJitter: 0,
    maxRuntime: Duration.hours(1),
    concurrencyLimit: 2,
    maxPerAssignee: 1,
    excludePreviousHolder: true,
    blockRecurrenceLimit: 3,
    changesReserved: Duration.hours(1),
    aging: Duration.minutes(5),
    shards: 4,
    metrics: true,
    onSuccess: 'Done',
    onFailure: 'Failed',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
  });
  const { contract } = column.code as { contract: object };

  const said = Object.keys(contract).map((name) => name.replace(/^on_\w+$/, '$&_column_id'));
  expect(said.toSorted()).toEqual(Object.keys(DEFAULT_CONTRACT).toSorted());
});

describe('events and webhooks as code', () => {
  test('send some types to a target, and all to an address whose secret is kept', () => {
    const { stack, leaseboard } = build();
    const board = leaseboard.addBoard('Articles', { columns: [] });
    leaseboard.onEvent('Dead', [EventType.LEASE_DEADLETTERED], new SqsQueue(new Queue(stack, 'Inbox')));
    leaseboard.addWebhook('Chat', {
      board,
      url: 'https://chat.example.com/hook',
      types: [EventType.CARD_READY],
    });

    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['leaseboard'], 'detail-type': ['card.lease.deadlettered'] },
    });
    expect(codesOf(stack, 'webhook')[0]).toContain('"types":["card.ready"]');
    template.hasResourceProperties('AWS::SecretsManager::Secret', {
      SecretString: { 'Fn::GetAtt': [Match.stringLikeRegexp('Chat'), 'Secret'] },
    });
    expect(() => EventType.of('card.exploded')).toThrow(/No event has the type/);
  });
});

test('a column that is measured by itself has metrics of its own, and another has none', () => {
  const { stack, leaseboard } = build();
  const drafts = Column.queue('Drafts', { metrics: true });
  const others = Column.queue('Others');
  const board = leaseboard.addBoard('Articles', { columns: [drafts, others] });

  for (const metric of Object.values(leaseboard.metrics.ofColumn(board, drafts))) {
    expect(metric.dimensions).toEqual({ Column: board.columnId(drafts) });
  }
  expect(codesOf(stack, 'board')[0]).toContain('"metrics":true');
  expect(() => leaseboard.metrics.ofColumn(board, others)).toThrow(/'Others' is not measured by itself/);
  Template.fromStack(stack).hasResourceProperties('AWS::Logs::MetricFilter', {
    FilterPattern: '{ ($.reason = "contended") && ($.measured IS TRUE) }',
    MetricTransformations: [
      Match.objectLike({ MetricName: 'Contended', Dimensions: [{ Key: 'Column', Value: '$.column' }] }),
    ],
  });
});

describe('what a deployer may say', () => {
  const template = (props: LeaseboardProps) => Template.fromStack(build(props).stack);

  test('devMode lets everything go with the stack, and keeps no past', () => {
    const replica = Match.objectLike({
      DeletionProtectionEnabled: false,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
    const disposable = template({ devMode: true });
    disposable.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Delete',
      Properties: { Replicas: [replica] },
    });
    disposable.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    disposable.resourceCountIs('Custom::S3AutoDeleteObjects', 1);
    template({}).resourceCountIs('Custom::S3AutoDeleteObjects', 0);
  });

  test('a table, a bus and a topic of their own are used instead of new ones', () => {
    const stack = new Stack(createApp(), 'Given');
    const table = new BoardTable(stack, 'Restored', { removalPolicy: 'retain' as never });
    const eventBus = new EventBus(stack, 'Bus');
    new Leaseboard(stack, 'Leaseboard', { table, eventBus, alarmTopic: new Topic(stack, 'Alarms') });

    const made = Template.fromStack(stack);
    made.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
    made.resourceCountIs('AWS::Events::EventBus', 1);
    for (const alarm of Object.values(made.findResources('AWS::CloudWatch::Alarm'))) {
      expect(alarm['Properties']).toMatchObject({
        AlarmActions: [{ Ref: expect.stringMatching(/^Alarms/) }],
      });
    }
  });

  test('the lease key stays with the table, and that of another deployment can be given with its table', () => {
    const keys = { Properties: { Description: 'Signs the lease tokens of Leaseboard' } };
    template({}).hasResource('AWS::SecretsManager::Secret', { ...keys, DeletionPolicy: 'Retain' });
    template({ devMode: true }).hasResource('AWS::SecretsManager::Secret', {
      ...keys,
      DeletionPolicy: 'Delete',
    });
    const stack = new Stack(createApp(), 'Moved');
    const arn = 'arn:aws:secretsmanager:us-east-1:111111111111:secret:Kept-abcdef';
    const leaseKeySecret = Secret.fromSecretCompleteArn(stack, 'Kept', arn);
    new Leaseboard(stack, 'Leaseboard', { leaseKeySecret, adminTokenSecret: false });

    const moved = Template.fromStack(stack);
    moved.resourceCountIs('AWS::SecretsManager::Secret', 0);
    moved.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ LEASE_KEY_SECRET_ID: arn }) },
    });
  });

  test('a domain goes with its certificate, and becomes the address', () => {
    const stack = new Stack(createApp(), 'Named');
    const certificate = Certificate.fromCertificateArn(
      stack,
      'Certificate',
      'arn:aws:acm:us-east-1:111111111111:certificate/x',
    );
    const { apiUrl } = new Leaseboard(stack, 'Leaseboard', { domainName: 'board.example.com', certificate });

    expect(render(stack.resolve(apiUrl))).toMatch(/^https:\/\/\S*Domain\w*$/);
    expect(() => build({ domainName: 'board.example.com' })).toThrow(/go together/);
    expect(() => build({ disableExecuteApiEndpoint: true })).toThrow(/without any name/);
    const named = { domainName: 'board.example.com', certificate };
    const only = new Stack(createApp(), 'Only');
    new Leaseboard(only, 'Leaseboard', { ...named, disableExecuteApiEndpoint: true });
    Template.fromStack(only).hasResourceProperties('AWS::ApiGatewayV2::Api', {
      DisableExecuteApiEndpoint: true,
    });
  });

  test('pages of other origins may call only where they are listed', () => {
    template({}).hasResourceProperties('AWS::ApiGatewayV2::Api', { CorsConfiguration: Match.absent() });
    const listed = template({ corsAllowOrigins: ['https://board.example.com'] });
    listed.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      CorsConfiguration: Match.objectLike({ AllowOrigins: ['https://board.example.com'] }),
    });
    listed.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: { CorsRules: [Match.objectLike({ AllowedOrigins: ['https://board.example.com'] })] },
    });
  });

  test('people of an issuer are told to every function that answers requests', () => {
    const props = {
      oidcIssuer: 'https://id.example.com',
      oidcAudience: 'leaseboard',
      oidcGroupScopes: { owners: Scope.ADMIN },
    };
    template(props).hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          OIDC: JSON.stringify({
            issuer: 'https://id.example.com',
            audience: 'leaseboard',
            groups_claim: 'groups',
            group_scopes: { owners: 'admin' },
          }),
        }),
      },
    });
    expect(() => build({ oidcIssuer: 'https://id.example.com' })).toThrow(/go together/);
  });
});

test('everything at once passes cdk-nag too, and stays within what CloudFormation takes', () => {
  const app = createApp();
  const stack = new LeaseboardStack(app, 'Full', {
    env: ENV,
    encryptionKey: new Key(new Stack(app, 'Keys', { env: ENV }), 'Key', { enableKeyRotation: true }),
    corsAllowOrigins: ['https://board.example.com'],
    webhookEgress: { natEip: true },
    tracing: {},
  });
  const { leaseboard } = stack;
  const board = leaseboard.addBoard('Articles', { columns: [Column.queue('Drafts')] });
  leaseboard.addWebhook('Chat', { board, url: 'https://chat.example.com/hook' });
  leaseboard.grants.work(
    new Role(stack, 'Fleet', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
  );
  leaseboard.onEvent(
    'Dead',
    [EventType.LEASE_DEADLETTERED],
    new SqsQueue(leaseboard.deliveries.queue, { deadLetterQueue: leaseboard.deliveries.deadLetters }),
  );
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));

  expect(() => app.synth()).not.toThrow();
  const template = Template.fromStack(stack).toJSON() as { Resources: object; Outputs: object };
  expect(Object.keys(template.Resources).length).toBeLessThan(RESOURCES_MAX / 2);
  expect(JSON.stringify(template).length).toBeLessThan(TEMPLATE_BYTES_MAX / 2);
});

/** CDK writes a table with a key of one's own for a known region only. */
const ENV = { account: '111111111111', region: 'eu-west-1' };

/** CloudFormation's limits. Half of them is ours: a stack that a Leaseboard is part of has more in it. */
const RESOURCES_MAX = 500;
const TEMPLATE_BYTES_MAX = 1_000_000;

test('no property that may change later replaces the table or the bucket', () => {
  const key = (stack: Stack) => new Key(stack, 'Key');
  const plain = build().stack;
  const changed = new Stack(createApp(), 'Own', { env: ENV });
  new Leaseboard(changed, 'Leaseboard', {
    encryptionKey: key(changed),
    devMode: true,
    corsAllowOrigins: ['https://board.example.com'],
    throttlingRateLimit: 1,
    adminTokenSecret: false,
    webhookEgress: { natEip: true },
    longPollMaxWait: Duration.seconds(5),
  });

  for (const [type, replacing] of Object.entries(REPLACED_BY)) {
    const [[idBefore, before] = []] = Object.entries(Template.fromStack(plain).findResources(type));
    const [[idAfter, after] = []] = Object.entries(Template.fromStack(changed).findResources(type));
    expect(idAfter).toBe(idBefore);
    for (const property of replacing) {
      expect(after?.['Properties'][property]).toEqual(before?.['Properties'][property]);
    }
  }
});

/** Properties of which CloudFormation's documentation says: "Update requires: Replacement". */
const REPLACED_BY = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
};

test('the example application, of under forty lines, synthesizes with a board, a queue and a worker without a token', async () => {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ 'aws:cdk:bundling-stacks': [] }));
  const source = await readFile(new URL('../../examples/deploy/app.ts', import.meta.url), 'utf8');
  const { stack } = (await import('../../examples/deploy/app.ts')) as { stack: Stack };

  expect(source.split('\n').length).toBeLessThan(40);
  expect(codesOf(stack, 'board')).toHaveLength(1);
  expect(codesOf(stack, 'role')[0]).toContain('"agent":"drafter"');
  const [worker] = Object.values(
    Template.fromStack(stack).findResources('AWS::Lambda::Function', {
      Properties: { Environment: { Variables: { BOARD: Match.anyValue() } } },
    }),
  );
  expect(Object.keys(worker?.['Properties'].Environment.Variables).toSorted()).toEqual([
    'BOARD',
    'COLUMN',
    'LEASEBOARD_URL',
  ]);
});
