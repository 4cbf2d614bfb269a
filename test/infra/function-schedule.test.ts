import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { allowedTo, queuePolicyOf } from './support/policies.ts';
import { Synthesized, render } from './support/synth.ts';

describe('the reaper’s schedule', () => {
  const synthesized = new Synthesized();
  const reaperArn = `${synthesized.logicalId(synthesized.stack.leaseboard.functions.reaper)}.Arn`;
  const queue = synthesized.stack.leaseboard.deadLetterQueues.get('reaper');
  const queueId = queue === undefined ? 'no queue' : synthesized.logicalId(queue);
  const schedule = synthesized.only('AWS::Scheduler::Schedule').Properties;
  const target = schedule['Target'] as Record<string, unknown>;

  test('fires as often as the manifest says, and at nothing else', () => {
    expect(FUNCTIONS.reaper.everyMinutes).toBe(1);
    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
    });
    expect(render(target['Arn'])).toBe(reaperArn);
  });

  test('gives a tick up after two retries or a minute, into the dead-letter queue', () => {
    expect(target['RetryPolicy']).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 2 });
    expect(target['DeadLetterConfig']).toEqual({ Arn: { 'Fn::GetAtt': [queueId, 'Arn'] } });
  });

  test('keeps a run that threw in the same queue, since the schedule cannot see it', () => {
    expect(synthesized.only('AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queueId, 'Arn'] } } },
    });
  });

  test('may start the reaper and fill the queue, and nothing more', () => {
    const roleId = render(target['RoleArn']).replace('.Arn', '');

    expect(allowedTo(synthesized, roleId)).toEqual([
      `Allow lambda:InvokeFunction ${reaperArn}`,
      `Allow lambda:InvokeFunction ${reaperArn}:$LATEST`,
      `Allow sqs:SendMessage ${queueId}.Arn`,
    ]);
  });

  test('has a dead-letter queue that keeps messages for two weeks and refuses plain HTTP', () => {
    expect(synthesized.resources.get(queueId)?.Properties).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
    });
    expect(queuePolicyOf(synthesized, queueId)).toMatchObject({
      Statement: [{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
    });
  });
});
