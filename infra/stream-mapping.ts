/** Starts a function with the records of the table's stream; what it gives up is noted in a queue, and neither stays unseen. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  StartingPosition,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueue } from './dead-letters.ts';
import type { StreamTrigger } from '../functions/manifest.ts';

export interface StreamMappingProps {
  readonly handler: LambdaFunction;
  readonly table: ITableV2;
  readonly trigger: StreamTrigger;
}

/** Events are a second old when all is well; minutes mean that the table or the bus fails, or that a bug does. */
const LATE = Duration.minutes(2);
const LATE_PERIODS = 3;

/** `ListStreams` too: without it the mapping is refused, though it is not called. */
const STREAM_ACTIONS = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

export class StreamMapping extends Construct {
  /** Ranges of records that were given up: shard and sequence numbers, by which they can be read for 24 h. */
  readonly failureQueue: Queue;
  /** Goes off when events are late. */
  readonly lateAlarm: Alarm;
  /** Goes off when records were given up. */
  readonly lossAlarm: Alarm;

  constructor(scope: Construct, id: string, { handler, table, trigger }: StreamMappingProps) {
    super(scope, id);
    const streamArn = table.tableStreamArn;
    if (streamArn === undefined) throw new Error('The table has no stream to start a function with.');
    this.failureQueue = deadLetterQueue(this, 'Failures', 'of a stream');
    const reads = new PolicyStatement({
      actions: STREAM_ACTIONS.map((action) => `dynamodb:${action}`),
      resources: [streamArn],
    });
    const { policyDependable } = handler.grantPrincipal.addToPrincipalPolicy(reads);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: handler,
      eventSourceArn: streamArn,
      // The oldest: with LATEST, what comes while a mapping is made or changed may be lost.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: trigger.filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      batchSize: trigger.batchSize,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: trigger.retries,
      maxRecordAge: Duration.seconds(trigger.maxAgeSeconds),
      onFailure: new SqsDlq(this.failureQueue),
    });
    // Lambda looks at the permissions when the mapping is made, and refuses it without.
    if (policyDependable !== undefined) mapping.node.addDependency(policyDependable);
    this.lateAlarm = this.createLateAlarm(handler);
    this.lossAlarm = this.createLossAlarm();
  }

  private createLateAlarm(handler: LambdaFunction): Alarm {
    const age = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'IteratorAge',
      dimensionsMap: { FunctionName: handler.functionName },
      statistic: 'Maximum',
      period: Duration.minutes(1),
    });
    return new Alarm(this, 'Late', {
      alarmDescription:
        'Events are late: transitions are not in the log, the feed, on the bus or at webhooks. What to do: docs/runbooks/events-late.md',
      metric: age,
      threshold: LATE.toMilliseconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: LATE_PERIODS,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  private createLossAlarm(): Alarm {
    return new Alarm(this, 'Loss', {
      alarmDescription:
        'Events were given up: the failure queue says which part of the stream has them. What to do: docs/runbooks/events-late.md',
      metric: this.failureQueue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
