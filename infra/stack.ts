/** The project's own stack: one Leaseboard and what a deployer reads off it. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Leaseboard, type LeaseboardProps } from './leaseboard.ts';

export interface LeaseboardStackProps extends StackProps, LeaseboardProps {}

export class LeaseboardStack extends Stack {
  readonly leaseboard: Leaseboard;

  constructor(scope: Construct, id: string, props: LeaseboardStackProps = {}) {
    super(scope, id, props);
    this.leaseboard = new Leaseboard(this, 'Leaseboard', props);

    this.output('ApiUrl', this.leaseboard.apiUrl, 'Where workers and people send their requests');
    this.output('TableName', this.leaseboard.table.tableName, 'Holds every board, card and token');
    this.output(
      'AttachmentsBucketName',
      this.leaseboard.attachments.bucket.bucketName,
      'Holds the files of attachments',
    );
    this.output('LeaseKeySecretArn', this.leaseboard.leaseKeySecret.secretArn, 'Signs lease tokens');
    this.output('EventBusName', this.leaseboard.eventBus.eventBusName, 'Every event is put on it');
    const reaperDeadLetters = this.leaseboard.deadLetterQueues.get('reaper');
    if (reaperDeadLetters !== undefined) {
      this.output('ReaperDeadLettersUrl', reaperDeadLetters.queueUrl, 'Runs of the reaper that failed');
    }
    this.output(
      'DeliveryDeadLettersUrl',
      this.leaseboard.deliveries.deadLetters.queueUrl,
      'Deliveries to webhooks that failed on our side',
    );
    if (this.leaseboard.webhookEgress !== null) {
      this.output('WebhookAddress', this.leaseboard.webhookEgress.address, 'Where webhooks come from');
    }
    const fanout = this.leaseboard.streamMappings.get('fanout');
    if (fanout !== undefined) {
      this.output(
        'FanoutFailuresUrl',
        fanout.failureQueue.queueUrl,
        'Parts of the stream that were given up',
      );
    }
  }

  private output(id: string, value: string, description: string): CfnOutput {
    return new CfnOutput(this, id, { value, description });
  }
}
