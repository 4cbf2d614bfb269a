/**
 * Leaseboard as one construct: table, functions, HTTP API and schedule, composed from the manifest.
 * Everything is optional; what is not given is what a production deployment wants.
 */
import { RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, type IEventBus, type IRuleTarget } from 'aws-cdk-lib/aws-events';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../functions/manifest.ts';
import { AdminTokenSecret } from './admin-token.ts';
import { AttachmentBucket } from './attachment-bucket.ts';
import { Board, type BoardProps } from './board.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { environmentFor } from './environment.ts';
import { eventBusFor } from './event-bus.ts';
import type { EventType } from './event-type.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { LeaseboardGrants } from './grants.ts';
import { HttpFrontDoor } from './http-front-door.ts';
import { LeaseKeySecret } from './lease-key.ts';
import type { LeaseboardProps } from './leaseboard-props.ts';
import { ManifestFunction, type ManifestFunctionProps } from './manifest-function.ts';
import { LeaseboardMetrics } from './metrics.ts';
import { Monitoring } from './monitoring.ts';
import { Setup } from './setup.ts';
import { StreamMapping } from './stream-mapping.ts';
import { Tracing } from './tracing.ts';
import { BoardTable } from './table.ts';
import { Webhook, type WebhookProps } from './webhook.ts';
import { WebhookEgress } from './webhook-egress.ts';

/** A client that runs away at this rate for a whole day costs about $100 of gateway and Lambda, not more. */
const DEFAULT_RATE_LIMIT = 1000;
const DEFAULT_BURST_LIMIT = 2000;

/** What every function's construct is given. */
type SharedParts = Omit<ManifestFunctionProps, 'spec' | 'encryptionKey' | 'reservedConcurrency'>;

export class Leaseboard extends Construct {
  /** Address of the API, without a trailing slash. */
  readonly apiUrl: string;
  /** Address at which agents find the tools. */
  readonly mcpUrl: string;
  readonly table: ITableV2;
  /** Signs lease tokens. */
  readonly leaseKeySecret: ISecret;
  /** Holds the secret part of the first admin token, `lb_first_<text>`; null unless there is one. */
  readonly adminTokenSecret: ISecret | null;
  readonly functions: Readonly<Record<FunctionName, LambdaFunction>>;
  readonly eventBus: IEventBus;
  readonly deliveries: DeliveryQueue;
  /** Null unless webhooks have a fixed address. */
  readonly webhookEgress: WebhookEgress | null;
  /** Holds the files of attachments. */
  readonly attachments: AttachmentBucket;
  /** Whose identity tokens the API takes; null for nobody's. */
  readonly oidc: { readonly issuer: string; readonly audience: string } | null;
  readonly http: HttpFrontDoor;
  /** Functions that the table's stream starts, with the alarms on them. */
  readonly streamMappings: ReadonlyMap<FunctionName, StreamMapping>;
  /** Ticks of the scheduled functions that failed, by function. */
  readonly deadLetterQueues: ReadonlyMap<FunctionName, IQueue>;
  /** Lets roles call the API without a token. */
  readonly grants: LeaseboardGrants;
  readonly metrics: LeaseboardMetrics;
  readonly monitoring: Monitoring;
  /** Null unless it was asked for. */
  readonly tracing: Tracing | null;
  private readonly setup: Setup;
  private readonly props: LeaseboardProps;
  private readonly parts = new Map<FunctionName, ManifestFunction>();

  constructor(scope: Construct, id: string, props: LeaseboardProps = {}) {
    super(scope, id);
    this.props = props;
    const { oidcIssuer: issuer, oidcAudience: audience } = props;
    this.oidc = issuer === undefined || audience === undefined ? null : { issuer, audience };
    const { devMode = false, encryptionKey, corsAllowOrigins = [] } = props;
    const removalPolicy = props.removalPolicy ?? (devMode ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN);
    this.table =
      props.table ??
      new BoardTable(this, 'Table', { removalPolicy, pointInTimeRecovery: !devMode, encryptionKey });
    this.attachments = new AttachmentBucket(this, 'Attachments', {
      removalPolicy,
      corsAllowOrigins,
      encryptionKey,
    });
    this.leaseKeySecret =
      props.leaseKeySecret ?? new LeaseKeySecret(this, 'LeaseKey', removalPolicy, encryptionKey);
    this.adminTokenSecret =
      props.adminTokenSecret === false ? null : new AdminTokenSecret(this, 'AdminToken', encryptionKey);
    this.eventBus = eventBusFor(this, props.eventBus);
    this.deliveries = new DeliveryQueue(this, 'Deliveries');
    this.metrics = new LeaseboardMetrics(`Leaseboard/${Stack.of(this).stackName}/${id}`);
    const parts = this.sharedParts();
    this.functions = this.createFunctions(parts);
    this.tracing = props.tracing === undefined ? null : this.createTracing(parts);
    this.webhookEgress =
      props.webhookEgress === undefined
        ? null
        : new WebhookEgress(this, 'WebhookEgress', this.functions.sender);
    this.http = this.createFrontDoor();
    this.deadLetterQueues = this.startOnSchedule();
    this.streamMappings = this.startOnStream();
    for (const [name, { queue }] of manifestEntries()) {
      if (queue !== null) this.deliveries.start(this.functions[name], queue);
    }
    this.apiUrl = this.http.url;
    this.mcpUrl = `${this.apiUrl}/mcp`;
    this.setup = new Setup(this, 'Setups', this.functions.setup);
    if (this.adminTokenSecret !== null) this.setup.apply(this, 'FirstAdmin', 'admin-token', {});
    this.grants = new LeaseboardGrants(this, 'Grants', this.http.api, this.setup);
    this.monitoring = new Monitoring(this, 'Monitoring', {
      leaseboard: this,
      claimLog: this.part('claim').logGroup,
      metricsNamespace: this.metrics.namespace,
      alarmTopic: props.alarmTopic,
    });
    Tags.of(this).add('app', 'leaseboard');
  }

  /** A board as code: made or brought up to date with each deployment, and never deleted by one. */
  addBoard(id: string, props: BoardProps): Board {
    return new Board(this, id, this.setup, props);
  }

  /** A webhook as code; its signing secret is in Secrets Manager. */
  addWebhook(id: string, props: WebhookProps): Webhook {
    return new Webhook(this, id, this.setup, props, this.props.encryptionKey);
  }

  /** Sends events of these types to a target on AWS. */
  onEvent(id: string, types: readonly EventType[], target: IRuleTarget): Rule {
    const detailType = types.map(({ name }) => name);
    return new Rule(this, id, {
      eventBus: this.eventBus,
      eventPattern: { source: ['leaseboard'], detailType },
      targets: [target],
    });
  }

  private sharedParts(): SharedParts {
    const { props } = this;
    return {
      environment: environmentFor(this, props, this.metrics),
      logRetention: props.logRetention ?? RetentionDays.ONE_MONTH,
      table: this.table,
      leaseKey: this.leaseKeySecret,
      adminToken: this.adminTokenSecret,
      eventBus: this.eventBus,
      deliveries: this.deliveries,
      attachments: this.attachments,
    };
  }

  private createFunctions(parts: SharedParts): Record<FunctionName, LambdaFunction> {
    const { encryptionKey } = this.props;
    for (const [name, spec] of manifestEntries()) {
      const reservedConcurrency = this.props[`${name}ReservedConcurrency`];
      const part = new ManifestFunction(this, pascal(name), {
        ...parts,
        spec,
        encryptionKey,
        reservedConcurrency,
      });
      this.parts.set(name, part);
    }
    const entries = manifestEntries().map(([name]) => [name, this.part(name).handler] as const);
    return Object.fromEntries(entries) as Record<FunctionName, LambdaFunction>;
  }

  private createTracing(parts: SharedParts): Tracing {
    const answering = manifestEntries().filter(([, { environment }]) => environment.includes('TRACE_RATE'));
    const logGroups = answering.map(([name]) => this.part(name).logGroup);
    return new Tracing(this, 'Tracing', { logGroups, parts });
  }

  private createFrontDoor(): HttpFrontDoor {
    const { props } = this;
    const frontDoor = new HttpFrontDoor(this, 'Http', {
      logRetention: props.logRetention ?? RetentionDays.ONE_MONTH,
      throttlingRateLimit: props.throttlingRateLimit ?? DEFAULT_RATE_LIMIT,
      throttlingBurstLimit: props.throttlingBurstLimit ?? DEFAULT_BURST_LIMIT,
      corsAllowOrigins: props.corsAllowOrigins ?? [],
      domainName: props.domainName,
      certificate: props.certificate,
      disableExecuteApiEndpoint: props.disableExecuteApiEndpoint ?? false,
    });
    for (const [name, { routes }] of manifestEntries()) {
      frontDoor.route(pascal(name), this.functions[name], routes);
    }
    return frontDoor;
  }

  private startOnSchedule(): Map<FunctionName, IQueue> {
    const queues = new Map<FunctionName, IQueue>();
    for (const [name, { everyMinutes }] of manifestEntries()) {
      if (everyMinutes === null) continue;
      const timing = { handler: this.functions[name], everyMinutes };
      const { deadLetterQueue } = new FunctionSchedule(this, `${pascal(name)}Schedule`, timing);
      queues.set(name, deadLetterQueue);
    }
    return queues;
  }

  private startOnStream(): Map<FunctionName, StreamMapping> {
    const mappings = new Map<FunctionName, StreamMapping>();
    for (const [name, { stream }] of manifestEntries()) {
      if (stream === null) continue;
      const mapping = { handler: this.functions[name], table: this.table, trigger: stream };
      mappings.set(name, new StreamMapping(this, `${pascal(name)}Stream`, mapping));
    }
    return mappings;
  }

  private part(name: FunctionName): ManifestFunction {
    const part = this.parts.get(name);
    if (part === undefined) throw new Error(`The function ${name} is asked for before it is made.`);
    return part;
  }
}

function manifestEntries(): [FunctionName, FunctionSpec][] {
  return Object.entries(FUNCTIONS) as [FunctionName, FunctionSpec][];
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
