/** A board with a queue, and a Lambda fleet that works on it without holding any secret. */
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
// In an application of your own: from 'leaseboard/cdk'.
import { Column, Leaseboard } from '../../infra/index.ts';

export const stack = new Stack(new App(), 'Newsroom');
const leaseboard = new Leaseboard(stack, 'Leaseboard');

const drafts = Column.queue('Drafts', { leaseTtl: Duration.minutes(5), onSuccess: 'Done' });
const board = leaseboard.addBoard('Articles', { columns: [drafts, Column.done('Done')] });

const drafter = new NodejsFunction(stack, 'Drafter', {
  entry: `${import.meta.dirname}/drafter.ts`,
  runtime: Runtime.NODEJS_24_X,
  timeout: Duration.minutes(5),
  environment: {
    LEASEBOARD_URL: leaseboard.apiUrl,
    BOARD: board.boardId,
    COLUMN: board.columnId(drafts),
  },
});
leaseboard.grants.work(drafter, { board, agent: 'drafter' });

new Schedule(stack, 'EveryMinute', {
  schedule: ScheduleExpression.rate(Duration.minutes(1)),
  target: new LambdaInvoke(drafter),
});
