/** The queue of deliveries to webhooks, what starts the sender with it, and the schedules that put off for hours. */
import { Arn, ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueue } from './dead-letters.ts';
import { shownArn } from './shown-arn.ts';
import { FUNCTIONS, type DeliveryAccess, type QueueTrigger } from '../functions/manifest.ts';

/** As long as SQS keeps anything: whoever looks after a fortnight's holiday still finds it. */
const RETENTION = Duration.days(14);

/** What the sender's schedules are called begins with this. */
const SCHEDULE_PREFIX = 'delivery-';

export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  /** Messages that made the sender fail again and again; their deliveries are in the table all the same. */
  readonly deadLetters: Queue;
  readonly deadLettersAlarm: Alarm;
  readonly scheduleGroup: CfnScheduleGroup;
  /** Taken on by the schedules, to put their message into the queue. */
  readonly scheduleRole: Role;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { visibilitySeconds, maxReceives } = FUNCTIONS.sender.queue;
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', 'of the deliveries');
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      retentionPeriod: RETENTION,
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    this.deadLettersAlarm = new Alarm(this, 'Failing', {
      alarmDescription:
        'Deliveries to webhooks fail on our side. What to do: docs/runbooks/deliveries-failing.md',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.scheduleGroup = new CfnScheduleGroup(this, 'Schedules');
    this.scheduleRole = new Role(this, 'ScheduleRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    this.scheduleRole.addToPrincipalPolicy(this.maySend());
  }

  /** Gives a function's role what its part in deliveries needs. */
  grant(role: Role, access: DeliveryAccess): void {
    if (access !== 'none') role.addToPrincipalPolicy(this.maySend());
    if (access === 'schedule') this.grantSchedules(role);
  }

  private grantSchedules(role: Role): void {
    const schedules = new PolicyStatement({
      actions: ['scheduler:CreateSchedule'],
      resources: [this.schedulesArn()],
    });
    // The role that a schedule takes on is the caller's to hand out, and only to the scheduler.
    const passRole = new PolicyStatement({
      actions: ['iam:PassRole'],
      resources: [this.scheduleRole.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    });
    role.addToPrincipalPolicy(schedules);
    role.addToPrincipalPolicy(passRole);
    const group = Stack.of(this).getLogicalId(this.scheduleGroup);
    const arn = shownArn(this, 'scheduler', `schedule/<${group}>/${SCHEDULE_PREFIX}*`);
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${arn}]`,
      reason: 'A schedule is named by the delivery that it puts off; the group holds nothing else.',
    });
  }

  /** Starts a function with the queue's messages. */
  start(handler: LambdaFunction, { batchSize }: QueueTrigger): EventSourceMapping {
    const receive = new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [this.queue.queueArn],
    });
    const { policyDependable } = handler.grantPrincipal.addToPrincipalPolicy(receive);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: handler,
      eventSourceArn: this.queue.queueArn,
      batchSize,
      reportBatchItemFailures: true,
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
      reason: 'What fails too often goes to the dead letters of its queue.',
    });
    // Lambda looks at the permissions when the mapping is made, and refuses it without.
    if (policyDependable !== undefined) mapping.node.addDependency(policyDependable);
    return mapping;
  }

  private maySend(): PolicyStatement {
    return new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [this.queue.queueArn] });
  }

  private schedulesArn(): string {
    return Arn.format(
      {
        service: 'scheduler',
        resource: 'schedule',
        resourceName: `${this.scheduleGroup.ref}/${SCHEDULE_PREFIX}*`,
        arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
      },
      Stack.of(this),
    );
  }
}
