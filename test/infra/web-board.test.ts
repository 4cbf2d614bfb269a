import { runInNewContext } from 'node:vm';
import { Fn, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { LeaseboardStack } from '../../infra/stack.ts';
import { WebBoard, type WebBoardProps } from '../../infra/web-board.ts';
import { createApp, render, Synthesized } from './support/synth.ts';

const stack = new LeaseboardStack(createApp(), 'Leaseboard');
const web = new WebBoard(stack, 'Web', { leaseboard: stack.leaseboard });
const synthesized = new Synthesized({}, stack);

interface Behavior {
  readonly PathPattern?: string;
  readonly AllowedMethods?: readonly string[];
  readonly ViewerProtocolPolicy: string;
  readonly CachePolicyId: string;
  readonly TargetOriginId: string;
}

interface DistributionConfig {
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: readonly Behavior[];
  readonly Origins: readonly { readonly Id: string; readonly OriginAccessControlId?: unknown }[];
}

const { DistributionConfig: config } = synthesized.only('AWS::CloudFront::Distribution')
  .Properties as unknown as { DistributionConfig: DistributionConfig };

/** CloudFront's own policy under which nothing is kept. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

describe('the deployed board', () => {
  test('has the API under its own name, never cached, every method, over TLS only', () => {
    expect(config.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/v1/*',
      '/mcp',
      '/mcp/*',
      '/healthz',
      '/.well-known/*',
    ]);
    for (const behavior of config.CacheBehaviors) {
      expect(behavior.CachePolicyId).toBe(CACHING_DISABLED);
      expect(behavior.AllowedMethods).toContain('DELETE');
      expect(behavior.ViewerProtocolPolicy).toBe('https-only');
    }
  });

  test('has its files in a bucket that is open to CloudFront alone', () => {
    const files = config.Origins.find(({ Id }) => Id === config.DefaultCacheBehavior.TargetOriginId);
    expect(files?.OriginAccessControlId).toBeDefined();
    const bucket = synthesized.resources.get(synthesized.logicalId(web.bucket));
    expect(bucket?.Properties['PublicAccessBlockConfiguration']).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
  });

  test('sends the same strict policy as the local server, with the bucket of attachments to upload to', () => {
    const { Properties } = synthesized.only('AWS::CloudFront::ResponseHeadersPolicy');
    const text = render(
      (
        Properties['ResponseHeadersPolicyConfig'] as {
          SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: unknown } };
        }
      ).SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy,
    );
    expect(text).toContain("default-src 'none'");
    expect(text).toContain("script-src 'self'");
    const bucket = synthesized.logicalId(stack.leaseboard.attachments.bucket);
    expect(text).toContain(`connect-src 'self' https://${bucket}.RegionalDomainName`);
  });

  test('shows the one page at every address that is no file', () => {
    const code = synthesized.only('AWS::CloudFront::Function').Properties['FunctionCode'];
    const shown = (uri: string): unknown =>
      runInNewContext(`${String(code)}; handler({ request: { uri: ${JSON.stringify(uri)} } }).uri`);
    expect(shown('/')).toBe('/index.html');
    expect(shown('/boards/demo/cards/crd_1')).toBe('/index.html');
    expect(shown('/assets/main-ABCDEFGH.js')).toBe('/assets/main-ABCDEFGH.js');
    expect(shown('/favicon.svg')).toBe('/favicon.svg');
    expect(shown('/config.json')).toBe('/config.json');
    expect(shown('/sign-in')).toBe('/index.html');
  });

  test('goes with its stack: its bucket is emptied first, or it could not be deleted', () => {
    const bucket = synthesized.resources.get(synthesized.logicalId(web.bucket));
    expect(bucket?.DeletionPolicy).toBe('Delete');
    expect(synthesized.only('Custom::S3AutoDeleteObjects').Properties['BucketName']).toEqual({
      Ref: synthesized.logicalId(web.bucket),
    });
  });
});

describe('a board with a name of its own', () => {
  const named = (props: Pick<WebBoardProps, 'domainName'>, region = 'us-east-1') => {
    const app = createApp();
    const stack = new LeaseboardStack(app, 'Leaseboard');
    const arn = `arn:aws:acm:${region}:111111111111:certificate/x`;
    const certificate = Certificate.fromCertificateArn(stack, 'Certificate', arn);
    const board = new WebBoard(stack, 'Web', { leaseboard: stack.leaseboard, certificate, ...props });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    return { app, board, synthesized: new Synthesized({}, stack) };
  };

  test('answers to it with its certificate, by TLS 1.2 at least, and keeps the rule that it else may not', () => {
    const { app, board, synthesized } = named({ domainName: 'board.example.com' });

    expect(board.url).toBe('https://board.example.com');
    expect(synthesized.only('AWS::CloudFront::Distribution').Properties['DistributionConfig']).toMatchObject({
      Aliases: ['board.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/x',
        MinimumProtocolVersion: 'TLSv1.2_2021',
      },
    });
    expect(() => app.synth()).not.toThrow();
  });

  test('needs both, and a certificate of the one region that CloudFront takes them from', () => {
    expect(() => named({})).toThrow(/go together/);
    expect(() => named({ domainName: 'board.example.com' }, 'eu-west-1')).toThrow(/us-east-1/);
  });
});

describe('a board that people sign in to with an identity provider', () => {
  const withProvider = (issuer: string): Synthesized => {
    const people = { oidcIssuer: issuer, oidcAudience: 'client-1' };
    const stack = new LeaseboardStack(createApp(), 'Leaseboard', people);
    const signIn = { provider: 'Example', tokenOrigin: 'https://tokens.example.com' };
    new WebBoard(stack, 'Web', { leaseboard: stack.leaseboard, signIn });
    return new Synthesized({}, stack);
  };
  const policyOf = (board: Synthesized): string =>
    render(board.only('AWS::CloudFront::ResponseHeadersPolicy').Properties['ResponseHeadersPolicyConfig']);

  test('may call the issuer and where its tokens come from, and nobody else', () => {
    expect(policyOf(withProvider('https://id.example.com/tenant-1'))).toMatch(
      /connect-src 'self' https:\/\/[^ ]+ https:\/\/id\.example\.com https:\/\/tokens\.example\.com;/,
    );
    expect(policyOf(withProvider(Fn.importValue('Issuer')))).toContain('Fn::Select');
  });

  test('is told of it by a file beside the page, which is never kept', () => {
    const board = withProvider('https://id.example.com/tenant-1');
    const pages = board
      .ofType('Custom::CDKBucketDeployment')
      .map(([, { Properties }]) => Properties)
      .filter(({ SystemMetadata }) => JSON.stringify(SystemMetadata).includes('no-cache'));
    expect(pages).toHaveLength(1);
    expect(pages[0]?.['SourceObjectKeys']).toHaveLength(2);
  });

  test('is refused where the API takes nobody’s identity tokens', () => {
    const stack = new LeaseboardStack(createApp(), 'Leaseboard');
    const make = () =>
      new WebBoard(stack, 'Web', { leaseboard: stack.leaseboard, signIn: { provider: 'Example' } });
    expect(make).toThrow('oidcIssuer');
  });
});

describe('the stack with its board', () => {
  test('passes the AwsSolutions and Serverless rules of cdk-nag, or says why not', () => {
    const app = createApp();
    const whole = new LeaseboardStack(app, 'Leaseboard');
    new WebBoard(whole, 'Web', { leaseboard: whole.leaseboard });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));

    expect(() => app.synth()).not.toThrow();
  });

  test('stands behind a firewall where it is given one', () => {
    const walled = new LeaseboardStack(createApp(), 'Leaseboard');
    const webAclArn = 'arn:aws:wafv2:us-east-1:111111111111:global/webacl/x/y';
    new WebBoard(walled, 'Web', { leaseboard: walled.leaseboard, webAclArn });

    const distribution = new Synthesized({}, walled).only('AWS::CloudFront::Distribution');
    expect(distribution.Properties['DistributionConfig']).toMatchObject({ WebACLId: webAclArn });
  });
});
