/** CDK's own function that puts files into a bucket: which rules it does not keep. Its code and role are CDK's. */
import { Stack, Validations, type CfnElement } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { shownPlace } from './shown-arn.ts';

const REASON =
  'CDK’s own function: it runs at deployments only, reads CDK’s assets, and writes nothing but the bucket of the board.';

const ACTIONS = ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:Abort*', 's3:DeleteObject*'];

/** @param bucket Where the files go. */
export function acknowledgeBucketDeployment(bucket: Bucket): void {
  const stack = Stack.of(bucket);
  const handler = stack.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
  if (handler === undefined) throw new Error('CDK has another function for deployments to buckets now.');
  const files = stack.getLogicalId(bucket.node.defaultChild as CfnElement);
  for (const rule of rulesOf(bucket, files))
    Validations.of(handler).acknowledge({ id: rule, reason: REASON });
}

function rulesOf(bucket: Bucket, files: string): string[] {
  const { partition, region, account } = shownPlace(bucket);
  const assets = `arn:${partition}:s3:::cdk-hnb659fds-assets-${account}-${region}/*`;
  const findings = [
    `IAM4[Policy::arn:${partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]`,
    ...ACTIONS.map((action) => `IAM5[Action::${action}]`),
    `IAM5[Resource::${assets}]`,
    `IAM5[Resource::<${files}.Arn>/*]`,
    'L1',
  ];
  const serverless = ['LambdaDLQ', 'LambdaLatestVersion', 'LambdaTracing'];
  return [
    ...findings.map((finding) => `AwsSolutions::AwsSolutions-${finding}`),
    ...serverless.map((rule) => `Serverless::Serverless-${rule}`),
  ];
}
