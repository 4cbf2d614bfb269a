/** One function of the manifest: its bundle, log group, role and environment, and nothing it was not listed for. */
import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat, type BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { FunctionSpec } from '../functions/manifest.ts';
import type { EnvName } from '../shared/env.ts';
import { HANDLER_BUNDLE, PROJECT_ROOT } from './bundling.ts';
import type { AttachmentBucket } from './attachment-bucket.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

export interface ManifestFunctionProps {
  readonly spec: FunctionSpec;
  readonly table: ITableV2;
  readonly leaseKey: ISecret;
  readonly eventBus: IEventBus;
  readonly deliveries: DeliveryQueue;
  readonly attachments: AttachmentBucket;
  /** A value for every name that a function may ask for; it is given those that its spec lists. */
  readonly environment: Readonly<Record<EnvName, string>>;
  readonly logRetention: RetentionDays;
  /** Executions set aside for this function; undefined shares the account's. */
  readonly reservedConcurrency: number | undefined;
}

export class ManifestFunction extends Construct {
  readonly handler: NodejsFunction;

  constructor(scope: Construct, id: string, props: ManifestFunctionProps) {
    super(scope, id);
    const { spec } = props;
    // Its retention bounds the logs' life, so a deleted stack leaves no group behind that nobody would find.
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of our own: the one CDK makes carries a managed policy that may write to every log group.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    for (const statement of statementsFor(props)) role.addToPrincipalPolicy(statement);
    props.deliveries.grant(role, spec.deliveries);
    props.attachments.grant(role, spec.bucket);

    this.handler = new NodejsFunction(this, 'Handler', {
      description: spec.purpose,
      entry: join(PROJECT_ROOT, spec.entry),
      projectRoot: PROJECT_ROOT,
      depsLockFilePath: join(PROJECT_ROOT, 'package-lock.json'),
      bundling: BUNDLING,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: spec.memoryMb,
      timeout: Duration.seconds(spec.timeoutSeconds),
      reservedConcurrentExecutions: props.reservedConcurrency,
      environment: environmentFor(props),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
  }
}

/** The SDK goes into the bundle: the runtime's copy is another version and loads slower. */
const BUNDLING: BundlingOptions = {
  bundleAwsSDK: true,
  format: OutputFormat.CJS,
  minify: HANDLER_BUNDLE.minify,
  target: HANDLER_BUNDLE.target,
  mainFields: [...HANDLER_BUNDLE.mainFields],
  esbuildArgs: Object.fromEntries(
    Object.entries(HANDLER_BUNDLE.alias).map(([module, file]) => [`--alias:${module}`, file]),
  ),
};

function environmentFor({ spec, environment }: ManifestFunctionProps): Record<string, string> {
  return Object.fromEntries(spec.environment.map((name) => [name, environment[name]]));
}

/** An index is an ARN of its own and can only be read, so it is granted `Query` and nothing else. */
function statementsFor({ spec, table, leaseKey, eventBus }: ManifestFunctionProps): PolicyStatement[] {
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
  return statements;
}
