/** The project's own stack: one Leaseboard and what a deployer reads off it. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { LeaseboardProps } from './leaseboard-props.ts';
import { Leaseboard } from './leaseboard.ts';

export interface LeaseboardStackProps extends StackProps, LeaseboardProps {}

export class LeaseboardStack extends Stack {
  readonly leaseboard: Leaseboard;

  constructor(scope: Construct, id: string, props: LeaseboardStackProps = {}) {
    super(scope, id, props);
    this.leaseboard = new Leaseboard(this, 'Leaseboard', props);
    for (const [name, value, description] of outputsOf(this.leaseboard)) {
      if (value !== undefined) new CfnOutput(this, name, { value, description });
    }
  }
}

/** Name, value and meaning; undefined for what this deployment has not. */
function outputsOf(leaseboard: Leaseboard): [string, string | undefined, string][] {
  const { deliveries, deadLetterQueues, streamMappings } = leaseboard;
  return [
    ['ApiUrl', leaseboard.apiUrl, 'Where workers and people send their requests'],
    ['McpUrl', leaseboard.mcpUrl, 'Where agents find the tools'],
    ['TableName', leaseboard.table.tableName, 'Holds every board, card and token'],
    ['AttachmentsBucketName', leaseboard.attachments.bucket.bucketName, 'Holds the files of attachments'],
    ['LeaseKeySecretArn', leaseboard.leaseKeySecret.secretArn, 'Signs lease tokens'],
    ['AdminTokenSecretArn', leaseboard.adminTokenSecret?.secretArn, 'The first admin token: lb_first_<text>'],
    ['EventBusName', leaseboard.eventBus.eventBusName, 'Every event is put on it'],
    ['DashboardUrl', leaseboard.monitoring.dashboardUrl, 'How the installation fares'],
    ['ReaperDeadLettersUrl', deadLetterQueues.get('reaper')?.queueUrl, 'Runs of the reaper that failed'],
    [
      'DeliveryDeadLettersUrl',
      deliveries.deadLetters.queueUrl,
      'Deliveries to webhooks that failed on our side',
    ],
    [
      'FanoutFailuresUrl',
      streamMappings.get('fanout')?.failureQueue.queueUrl,
      'Parts of the stream that were given up',
    ],
    ['WebhookAddress', leaseboard.webhookEgress?.address, 'Where webhooks come from'],
    ['DomainTarget', leaseboard.http.domain?.regionalDomainName, 'What the domain name is to point at'],
  ];
}
