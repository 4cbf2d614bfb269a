/**
 * Tracing: what the functions log of sampled requests, sent to X-Ray as OpenTelemetry's spans by a function of its own.
 * Nobody's request waits for it, and the functions that answer need no permission and no SDK for it.
 */
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Construct } from 'constructs';
import { TRACER } from '../functions/manifest.ts';
import type { LeaseboardProps } from './leaseboard-props.ts';
import { ManifestFunction, type ManifestFunctionProps } from './manifest-function.ts';

/** At 100 % traces cost more than the table. */
const DEFAULT_RATE = 0.01;

export interface TracingProps {
  /** Of functions that answer requests. */
  readonly logGroups: readonly LogGroup[];
  readonly parts: Omit<ManifestFunctionProps, 'spec' | 'encryptionKey' | 'reservedConcurrency'>;
}

export class Tracing extends Construct {
  readonly handler: LambdaFunction;

  constructor(scope: Construct, id: string, { logGroups, parts }: TracingProps) {
    super(scope, id);
    const own = { spec: TRACER, encryptionKey: undefined, reservedConcurrency: undefined };
    const tracer = new ManifestFunction(this, 'Tracer', { ...parts, ...own });
    this.handler = tracer.handler;
    this.handler.addToRolePolicy(
      new PolicyStatement({ actions: ['xray:PutTraceSegments'], resources: ['*'] }),
    );
    Validations.of(tracer).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources for what is sent to it: IAM takes nothing but a star.',
    });
    const destination = new LambdaDestination(this.handler);
    for (const group of logGroups) {
      group.addSubscriptionFilter('Spans', { destination, filterPattern: FilterPattern.exists('$.span_id') });
    }
  }
}

/** Share of the traces that are recorded; 0 where tracing was not asked for. */
export function samplingRateOf({ tracing }: LeaseboardProps): number {
  if (tracing === undefined) return 0;
  const { samplingRate = DEFAULT_RATE } = tracing;
  if (samplingRate > 0 && samplingRate <= 1) return samplingRate;
  throw new Error(
    `tracing.samplingRate is ${samplingRate}: give a share above 0 and up to 1, or leave tracing out.`,
  );
}
