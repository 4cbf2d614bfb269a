/** Queues that keep what failed: the end of the line, so they have none behind them. */
import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** As long as SQS keeps anything: whoever looks after a fortnight's holiday still finds it. */
const RETENTION = Duration.days(14);
const RULES = ['AwsSolutions::AwsSolutions-SQS3', 'Serverless::Serverless-SQSRedrivePolicy'];

/** @param of What it keeps the failures of, for whoever checks the rules. */
export function deadLetterQueue(scope: Construct, id: string, of: string): Queue {
  const queue = new Queue(scope, id, { enforceSSL: true, retentionPeriod: RETENTION });
  for (const rule of RULES) {
    Validations.of(queue).acknowledge({ id: rule, reason: `It is a dead-letter queue itself, ${of}.` });
  }
  return queue;
}
