/** What a role is let do by each grant: by IAM, and by the scope that it is registered under. */
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { Leaseboard, type LeaseboardGrants } from '../../infra/index.ts';
import { build, codesOf } from './support/own-stack.ts';
import { createApp, render } from './support/synth.ts';

const grantee = (stack: Stack, id: string) =>
  new Role(stack, id, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });

/** The role's own calls, without the address of the API. */
function callsOf(stack: Stack, id: string): string[] {
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  const own = Object.entries(policies).filter(([logicalId]) => logicalId.startsWith(`${id}DefaultPolicy`));
  return own
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement as { Resource: unknown }[])
    .flatMap(({ Resource }) => [Resource].flat().map(render))
    .map((arn) => arn.replace(/^.*\/\$default\//, ''));
}

describe('a grant', () => {
  test('of work lets the role call, and registers it as the agent of one board', () => {
    const { stack, leaseboard } = build();
    const board = leaseboard.addBoard('Articles', { columns: [] });
    leaseboard.grants.work(grantee(stack, 'Drafter'), { board, agent: 'drafter', requestsPerMinute: 600 });

    expect(callsOf(stack, 'Drafter')).toEqual(['*/aws/mcp', '*/aws/v1/*']);
    const [code = ''] = codesOf(stack, 'role');
    expect(code).toMatch(/"role_arn":"Drafter\w+\.Arn"/);
    expect(code).toContain('"scopes":["worker"]');
    expect(code).toMatch(/"board_id":"LeaseboardArticles\w+"/);
    expect(code).toContain('"agent":"drafter","requests_per_minute":600');
  });

  test('of reading reaches nothing that changes anything', () => {
    const { stack, leaseboard } = build();
    leaseboard.grants.read(grantee(stack, 'Viewer'));

    expect(callsOf(stack, 'Viewer')).toEqual(['GET/aws/v1/*']);
  });

  test('of producing makes cards and claims none', () => {
    const { stack, leaseboard } = build();
    leaseboard.grants.produce(grantee(stack, 'Producer'));

    expect(callsOf(stack, 'Producer')).toEqual([
      'GET/aws/v1/*',
      'POST/aws/v1/boards/*/cards*',
      'POST/aws/v1/boards/*/graphs*',
    ]);
  });

  test('after another one widens the scope that the role was registered with', () => {
    const { stack, leaseboard } = build();
    const role = grantee(stack, 'Operator');
    leaseboard.grants.work(role);
    leaseboard.grants.admin(role);

    const codes = codesOf(stack, 'role');
    expect(codes).toHaveLength(1);
    expect(codes[0]).toContain('"scopes":["admin"]');
  });

  test('goes to whatever acts in a role, and to nothing else', () => {
    const { stack, leaseboard } = build();
    const handler = new LambdaFunction(stack, 'Drafter', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromInline('exports.handler = () => null'),
    });
    leaseboard.grants.work(handler);

    expect(codesOf(stack, 'role')[0]).toMatch(/"role_arn":"DrafterServiceRole\w+\.Arn"/);
    expect(() => leaseboard.grants.work(new User(stack, 'Person'))).toThrow(/grant to a role/);
  });

  test('goes to a role of another stack, which then needs this one and not the other way round', () => {
    const app = createApp();
    const leaseboard = new Leaseboard(new Stack(app, 'Queue'), 'Leaseboard');
    const fleet = new Stack(app, 'Fleet');
    const board = leaseboard.addBoard('Articles', { columns: [] });
    leaseboard.grants.work(grantee(fleet, 'Drafter'), { board, agent: 'drafter' });

    expect(() => app.synth()).not.toThrow();
    expect(codesOf(fleet, 'role')).toHaveLength(1);
    expect(fleet.dependencies.map(({ stackName }) => stackName)).toEqual(['Queue']);
  });
});

describe('over all routes', () => {
  /** The routes that a grant's role reaches: those that IAM lets through and its scope is enough for. */
  function reached(grant: keyof LeaseboardGrants & ('work' | 'produce' | 'read')): string[] {
    const { stack, leaseboard } = build();
    leaseboard.grants[grant](grantee(stack, 'Caller'));
    const patterns = callsOf(stack, 'Caller').map(
      (call) =>
        new RegExp(
          `^${call
            .split('*')
            .map((part) => part.replaceAll(/[^\w/:]/g, String.raw`\$&`))
            .join('.*')}$`,
        ),
    );
    return allRoutes
      .filter(({ scope }) => scope === 'worker')
      .filter(({ method, path }) =>
        patterns.some((pattern) => pattern.test(`${method}/aws${path.replaceAll(/\{(\w+)\}/g, '$1_1')}`)),
      )
      .map(({ method, path }) => `${method} ${path}`);
  }
  const ofWorkers = allRoutes.filter(({ scope }) => scope === 'worker');

  test('work reaches all that a worker may', () => {
    expect(reached('work')).toHaveLength(ofWorkers.length);
  });

  test('read reaches every GET, and nothing else', () => {
    expect(reached('read')).toEqual(
      ofWorkers.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`),
    );
  });

  test('produce reaches the making of cards and graphs too, and nothing else', () => {
    expect(reached('produce').filter((route) => !route.startsWith('GET '))).toEqual([
      'POST /v1/boards/{board}/cards',
      'POST /v1/boards/{board}/cards:batch',
      'POST /v1/boards/{board}/graphs',
      'POST /v1/boards/{board}/graphs:swarm',
    ]);
  });
});
