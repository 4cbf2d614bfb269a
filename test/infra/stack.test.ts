import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { LeaseboardStack } from '../../infra/stack.ts';
import { actionsOf, allowStatements, resourcesOf } from './support/policies.ts';
import { Synthesized, createApp, render } from './support/synth.ts';

/**
 * Properties that fix a resource's name in the account. The API's `Name` is not among them: it is a label that
 * CloudFormation requires and that two APIs may share.
 */
const PHYSICAL_NAMES = [
  'TableName',
  'FunctionName',
  'RoleName',
  'QueueName',
  'LogGroupName',
  'ManagedPolicyName',
  'Name',
];
const REFERS_BY_NAME = [
  // The log group whose lines are counted.
  'AWS::Logs::MetricFilter',
  'AWS::Lambda::Permission',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::ApiGatewayV2::Api',
  // CloudFormation requires its name; CDK makes one of the stack's, so two stacks have two.
  'AWS::Events::EventBus',
];

describe('the stack', () => {
  const synthesized = new Synthesized();

  test('names nothing, so that it deploys twice and anything can be replaced', () => {
    const named = [...synthesized.resources]
      .filter(([, resource]) => !REFERS_BY_NAME.includes(resource.Type))
      .filter(([, resource]) => PHYSICAL_NAMES.some((property) => property in (resource.Properties ?? {})));

    expect(named.map(([id]) => id)).toEqual([]);
  });

  test('grants no action by wildcard and nothing on every resource', () => {
    const statements = allowStatements(synthesized);

    expect(statements.length).toBeGreaterThan(0);
    expect(statements.flatMap(actionsOf).filter((action) => action.includes('*'))).toEqual([]);
    // The sender's schedules are named by the deliveries that they put off, within a group of their own.
    const schedules = `schedule/${synthesized.logicalIdOf(synthesized.stack.leaseboard.deliveries.scheduleGroup)}/delivery-*`;
    // Files are named by their cards, in a bucket of their own.
    const files = `${synthesized.logicalId(synthesized.stack.leaseboard.attachments.bucket)}.Arn/*`;
    const wild = statements.flatMap(resourcesOf).filter((resource) => resource.includes('*'));
    expect(wild.filter((resource) => !resource.endsWith(schedules) && resource !== files)).toEqual([]);
  });

  /** CloudFormation knows a resource by these alone: under another it is a new, empty one, and the old is left behind. */
  test('keeps the ids of what holds data and secrets, version after version', () => {
    const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'];
    const ids = kept.flatMap((type) => synthesized.ofType(type).map(([id]) => id));

    expect(ids.toSorted()).toEqual([
      'LeaseboardAdminTokenE79E405A',
      'LeaseboardAttachmentsBucketBC83E413',
      'LeaseboardLeaseKey2DED61EF',
      'LeaseboardTableDA14E165',
    ]);
  });

  test('tells the deployer where the API is and what the table is called', () => {
    const { Outputs } = synthesized.template.toJSON() as { Outputs: Record<string, { Value: unknown }> };
    const { table, leaseKeySecret } = synthesized.stack.leaseboard;

    expect(Object.keys(Outputs).toSorted()).toEqual([
      'AdminTokenSecretArn',
      'ApiUrl',
      'AttachmentsBucketName',
      'DashboardUrl',
      'DeliveryDeadLettersUrl',
      'EventBusName',
      'FanoutFailuresUrl',
      'LeaseKeySecretArn',
      'McpUrl',
      'ReaperDeadLettersUrl',
      'TableName',
    ]);
    expect(render(Outputs['ApiUrl']?.Value)).toMatch(/\.ApiEndpoint$/);
    expect(Outputs['TableName']?.Value).toEqual({ Ref: synthesized.logicalId(table) });
    expect(Outputs['LeaseKeySecretArn']?.Value).toEqual({ Ref: synthesized.logicalId(leaseKeySecret) });
  });

  test('passes the AwsSolutions and Serverless rules of cdk-nag, or says why not', () => {
    const app = createApp();
    const stack = new LeaseboardStack(app, 'Leaseboard');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));

    expect(stack.node.children.length).toBeGreaterThan(0);
    expect(() => app.synth()).not.toThrow();
  });
});
