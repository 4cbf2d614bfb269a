/** Starts a function every so many minutes; what could not be started or did not end well is kept in a queue. */
import { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke, type ScheduleTargetBaseProps } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueue } from './dead-letters.ts';

export interface FunctionScheduleProps {
  readonly handler: LambdaFunction;
  readonly everyMinutes: number;
}

/** Two more tries within the tick's life: past it the next tick does the same work. */
const DELIVERY_RETRIES = 2;

/** CDK's own target may invoke every version that the function ever had; a tick only needs the latest. */
class LatestVersionInvoke extends LambdaInvoke {
  private readonly handler: LambdaFunction;

  constructor(handler: LambdaFunction, props: ScheduleTargetBaseProps) {
    super(handler, props);
    this.handler = handler;
  }

  protected override addTargetActionToRole(role: IRole): void {
    this.handler.grantInvokeLatestVersion(role);
  }
}

export class FunctionSchedule extends Construct {
  readonly deadLetterQueue: Queue;
  readonly schedule: Schedule;

  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const interval = Duration.minutes(props.everyMinutes);
    this.deadLetterQueue = deadLetterQueue(this, 'DeadLetters', 'of a schedule and of a function');
    this.schedule = new Schedule(this, 'Schedule', {
      schedule: ScheduleExpression.rate(interval),
      target: new LatestVersionInvoke(props.handler, {
        deadLetterQueue: this.deadLetterQueue,
        retryAttempts: DELIVERY_RETRIES,
        maxEventAge: interval,
      }),
    });
    // Scheduler counts a tick as delivered once Lambda has accepted it, so a run that throws would be seen by
    // nobody. No retry: the next tick is one.
    props.handler.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: interval,
      onFailure: new SqsDestination(this.deadLetterQueue),
    });
  }
}
