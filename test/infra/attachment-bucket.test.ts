import { RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { Synthesized, render } from './support/synth.ts';

const BUCKET = 'AWS::S3::Bucket';
const synthesized = new Synthesized();
const { bucket } = synthesized.stack.leaseboard.attachments;
const bucketId = synthesized.logicalId(bucket);

describe('the bucket of attachments', () => {
  const { Properties, ...policies } = synthesized.only(BUCKET);

  test('is open to nobody, and encrypted', () => {
    expect(Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
    });
  });

  test('takes no request without TLS', () => {
    const { Properties: policy } = synthesized.only('AWS::S3::BucketPolicy');
    expect(policy).toMatchObject({
      Bucket: { Ref: bucketId },
      PolicyDocument: {
        Statement: [{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      },
    });
  });

  test('forgets what was never finished after a day', () => {
    expect(Properties['LifecycleConfiguration']).toEqual({
      Rules: [{ Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }],
    });
  });

  test('outlives its stack, unless that is asked for', () => {
    expect(policies).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    const disposable = new Synthesized({ removalPolicy: RemovalPolicy.DESTROY });
    expect(disposable.only(BUCKET)).toMatchObject({ DeletionPolicy: 'Delete' });
  });

  test('is told to the functions that reach it, by the address that they sign for', () => {
    const { Environment } = synthesized.functionResource('api').Properties;
    const { Variables } = Environment as { Variables: Record<string, unknown> };
    expect(render(Variables['ATTACHMENTS_URL'])).toBe(`https://${bucketId}.RegionalDomainName`);
  });
});
