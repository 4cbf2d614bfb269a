/** One function of the manifest: its bundle, log group, role and environment, and nothing it was not listed for. */
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  LoggingFormat,
  Runtime,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { FunctionSpec } from '../functions/manifest.ts';
import type { EnvName } from '../shared/env.ts';
import type { AttachmentBucket } from './attachment-bucket.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { handlerFunction } from './handler-code.ts';

export interface ManifestFunctionProps {
  readonly spec: FunctionSpec;
  readonly table: ITableV2;
  readonly leaseKey: ISecret;
  /** Of the first admin token; null where there is none. */
  readonly adminToken: ISecret | null;
  /** What the table, the files and the secrets are encrypted with; undefined for keys of AWS's. */
  readonly encryptionKey: IKey | undefined;
  readonly eventBus: IEventBus;
  readonly deliveries: DeliveryQueue;
  readonly attachments: AttachmentBucket;
  /** A value for every name that a function may ask for; it is given those that its spec lists. */
  readonly environment: Readonly<Record<EnvName, string>>;
  readonly logRetention: RetentionDays;
  /** Executions set aside for this function; undefined shares the account's. */
  readonly reservedConcurrency: number | undefined;
}

/** Rules that no function keeps, and why. */
const UNHELD_RULES = [
  [
    'LambdaDLQ',
    'Requests and batches are answered to whoever sent them; the schedule and the stream have queues of their own.',
  ],
  [
    'LambdaTracing',
    'Lambda traces one request a second and 5 % of the rest, whatever is asked for. `tracing` records the share that it says, from the logs.',
  ],
] as const;

export class ManifestFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ManifestFunctionProps) {
    super(scope, id);
    const { spec } = props;
    // Its retention bounds the logs' life, so a deleted stack leaves no group behind that nobody would find.
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of our own: the one CDK makes carries a managed policy that may write to every log group.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    for (const statement of statementsFor(props)) role.addToPrincipalPolicy(statement);
    props.deliveries.grant(role, spec.deliveries);
    props.attachments.grant(role, spec.bucket);

    if (props.encryptionKey !== undefined) grantKey(role, props.encryptionKey);

    this.handler = handlerFunction(this, 'Handler', spec.entry, {
      description: spec.purpose,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: spec.memoryMb,
      timeout: Duration.seconds(spec.timeoutSeconds),
      reservedConcurrentExecutions: props.reservedConcurrency,
      environment: environmentFor(props),
      role,
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    for (const [rule, reason] of UNHELD_RULES) {
      Validations.of(this.handler).acknowledge({ id: `Serverless::Serverless-${rule}`, reason });
    }
  }
}

function environmentFor({ spec, environment }: ManifestFunctionProps): Record<string, string> {
  return Object.fromEntries(spec.environment.map((name) => [name, environment[name]]));
}

/** An index is an ARN of its own and can only be read, so it is granted `Query` and nothing else. */
function statementsFor({
  spec,
  table,
  leaseKey,
  adminToken,
  eventBus,
}: ManifestFunctionProps): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const allow = (actions: string[], resources: string[]): void => {
    if (actions.length > 0 && resources.length > 0)
      statements.push(new PolicyStatement({ actions, resources }));
  };
  allow(
    spec.table.map((action) => `dynamodb:${action}`),
    [table.tableArn],
  );
  allow(
    ['dynamodb:Query'],
    spec.indexes.map((index) => `${table.tableArn}/index/${index}`),
  );
  if (spec.eventBus) allow(['events:PutEvents'], [eventBus.eventBusArn]);
  if (spec.leaseKey) allow(['secretsmanager:GetSecretValue'], [leaseKey.secretArn]);
  if (spec.adminToken && adminToken !== null)
    allow(['secretsmanager:GetSecretValue'], [adminToken.secretArn]);
  return statements;
}

function grantKey(role: Role, key: IKey): void {
  key.grantEncryptDecrypt(role);
  for (const action of ['kms:GenerateDataKey*', 'kms:ReEncrypt*']) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Action::${action}]`,
      reason: 'The kinds of one action, on one key: DynamoDB and S3 choose among them.',
    });
  }
}
