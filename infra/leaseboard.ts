/**
 * Leaseboard as one construct: table, functions, HTTP API and schedule, composed from the manifest.
 * Everything is optional; what is not given is what a production deployment wants.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../functions/manifest.ts';
import type { EnvName } from '../shared/env.ts';
import { AttachmentBucket } from './attachment-bucket.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { eventBusFor } from './event-bus.ts';
import { FunctionSchedule } from './function-schedule.ts';
import { HttpFrontDoor } from './http-front-door.ts';
import { LeaseKeySecret } from './lease-key.ts';
import { ManifestFunction } from './manifest-function.ts';
import { StreamMapping } from './stream-mapping.ts';
import { BoardTable } from './table.ts';
import { WebhookEgress } from './webhook-egress.ts';

export interface LeaseboardProps {
  /**
   * What becomes of the table and the files when the stack is deleted. DESTROY also lifts deletion protection.
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;

  /**
   * The longest that a claim with `wait_seconds` is held open, at most 20 seconds. Each waiting worker holds an
   * execution, and a renewal that finds none free loses its lease: raise it only with concurrency to spare.
   * @default Duration.seconds(0)
   */
  readonly longPollMaxWait?: Duration;

  /**
   * How long logs are kept.
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;

  /**
   * Requests per second that the API takes, all callers together; past it the gateway answers 429.
   * @default 1000
   */
  readonly throttlingRateLimit?: number;

  /**
   * Requests that the API takes at once above its rate.
   * @default 2000
   */
  readonly throttlingBurstLimit?: number;

  /**
   * Executions set aside for claims. A new account has 10 in all, of which none can be set aside.
   * @default - shares the account's concurrency
   */
  readonly claimReservedConcurrency?: number;

  /**
   * Executions set aside for renewals and the verbs that end a lease: with these, waiting claims cannot starve
   * heartbeats.
   * @default - shares the account's concurrency
   */
  readonly leaseReservedConcurrency?: number;

  /**
   * Executions set aside for everything else over HTTP.
   * @default - shares the account's concurrency
   */
  readonly apiReservedConcurrency?: number;

  /**
   * Executions set aside for agents over MCP.
   * @default - shares the account's concurrency
   */
  readonly mcpReservedConcurrency?: number;

  /**
   * Executions set aside for the reaper; one is enough.
   * @default - shares the account's concurrency
   */
  readonly reaperReservedConcurrency?: number;

  /**
   * Executions set aside for the fan-out of events; one per shard of the table's stream is enough.
   * @default - shares the account's concurrency
   */
  readonly fanoutReservedConcurrency?: number;

  /**
   * Executions set aside for the sender of webhooks. Each endpoint holds at most four, a dead one one.
   * @default - shares the account's concurrency
   */
  readonly senderReservedConcurrency?: number;

  /**
   * Sends webhooks from one fixed address, for receivers that only let known ones in. A NAT gateway costs some
   * $33 a month.
   * @default - from any of Lambda's addresses
   */
  readonly webhookEgress?: { readonly natEip: true };

  /**
   * The bus that every event is put on, with the source `leaseboard` and its type as detail type.
   * @default - a bus of its own
   */
  readonly eventBus?: IEventBus;
}

/** The API's own bound on `wait_seconds`; the gateway would cut any integration off at 30 s. */
const LONG_POLL_LIMIT = Duration.seconds(20);

/** A client that runs away at this rate for a whole day costs about $100 of gateway and Lambda, not more. */
const DEFAULT_RATE_LIMIT = 1000;
const DEFAULT_BURST_LIMIT = 2000;

export class Leaseboard extends Construct {
  /** Address of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly table: ITableV2;
  /** Signs lease tokens. */
  readonly leaseKeySecret: ISecret;
  readonly functions: Readonly<Record<FunctionName, NodejsFunction>>;
  readonly eventBus: IEventBus;
  readonly deliveries: DeliveryQueue;
  /** Null unless webhooks have a fixed address. */
  readonly webhookEgress: WebhookEgress | null;
  /** Holds the files of attachments. */
  readonly attachments: AttachmentBucket;
  /** Functions that the table's stream starts, with the alarms on them. */
  readonly streamMappings: ReadonlyMap<FunctionName, StreamMapping>;
  /** Ticks of the scheduled functions that failed, by function. */
  readonly deadLetterQueues: ReadonlyMap<FunctionName, IQueue>;

  constructor(scope: Construct, id: string, props: LeaseboardProps = {}) {
    super(scope, id);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    this.table = new BoardTable(this, 'Table', { removalPolicy });
    this.attachments = new AttachmentBucket(this, 'Attachments', { removalPolicy });
    this.leaseKeySecret = new LeaseKeySecret(this, 'LeaseKey');
    this.eventBus = eventBusFor(this, props.eventBus);
    this.deliveries = new DeliveryQueue(this, 'Deliveries');
    const logRetention = props.logRetention ?? RetentionDays.ONE_MONTH;
    this.functions = this.createFunctions(props, logRetention);
    this.webhookEgress =
      props.webhookEgress === undefined
        ? null
        : new WebhookEgress(this, 'WebhookEgress', this.functions.sender);

    const frontDoor = new HttpFrontDoor(this, 'Http', {
      logRetention,
      throttlingRateLimit: props.throttlingRateLimit ?? DEFAULT_RATE_LIMIT,
      throttlingBurstLimit: props.throttlingBurstLimit ?? DEFAULT_BURST_LIMIT,
    });
    const deadLetterQueues = new Map<FunctionName, IQueue>();
    const streamMappings = new Map<FunctionName, StreamMapping>();
    for (const [name, spec] of manifestEntries()) {
      const handler = this.functions[name];
      frontDoor.route(pascal(name), handler, spec.routes);
      if (spec.stream !== null) {
        const mapping = { handler, table: this.table, trigger: spec.stream };
        streamMappings.set(name, new StreamMapping(this, `${pascal(name)}Stream`, mapping));
      }
      if (spec.queue !== null) this.deliveries.start(handler, spec.queue);
      if (spec.everyMinutes === null) continue;
      const schedule = new FunctionSchedule(this, `${pascal(name)}Schedule`, {
        handler,
        everyMinutes: spec.everyMinutes,
      });
      deadLetterQueues.set(name, schedule.deadLetterQueue);
    }
    this.deadLetterQueues = deadLetterQueues;
    this.streamMappings = streamMappings;
    this.apiUrl = frontDoor.api.apiEndpoint;
  }

  private createFunctions(
    props: LeaseboardProps,
    logRetention: RetentionDays,
  ): Record<FunctionName, NodejsFunction> {
    const environment: Record<EnvName, string> = {
      TABLE_NAME: this.table.tableName,
      LEASE_KEY_SECRET_ID: this.leaseKeySecret.secretArn,
      MAX_WAIT_SECONDS: String(longPollSeconds(props.longPollMaxWait)),
      EVENT_BUS_NAME: this.eventBus.eventBusArn,
      DELIVERY_QUEUE_URL: this.deliveries.queue.queueUrl,
      DELIVERY_QUEUE_ARN: this.deliveries.queue.queueArn,
      DELIVERY_SCHEDULE_GROUP: this.deliveries.scheduleGroup.ref,
      DELIVERY_SCHEDULE_ROLE_ARN: this.deliveries.scheduleRole.roleArn,
      WEBHOOK_TARGETS: 'public',
      ATTACHMENTS_URL: this.attachments.url,
      OIDC: 'none',
    };
    const create = ([name, spec]: [FunctionName, FunctionSpec]): [FunctionName, NodejsFunction] => [
      name,
      new ManifestFunction(this, pascal(name), {
        spec,
        environment,
        logRetention,
        table: this.table,
        leaseKey: this.leaseKeySecret,
        eventBus: this.eventBus,
        deliveries: this.deliveries,
        attachments: this.attachments,
        reservedConcurrency: props[`${name}ReservedConcurrency`],
      }).handler,
    ];
    return Object.fromEntries(manifestEntries().map(create)) as Record<FunctionName, NodejsFunction>;
  }
}

function manifestEntries(): [FunctionName, FunctionSpec][] {
  return Object.entries(FUNCTIONS) as [FunctionName, FunctionSpec][];
}

function longPollSeconds(maxWait: Duration = Duration.seconds(0)): number {
  const seconds = maxWait.toSeconds();
  if (seconds > LONG_POLL_LIMIT.toSeconds()) {
    throw new Error(
      `longPollMaxWait is ${seconds} s: the API holds a claim for at most ${LONG_POLL_LIMIT.toSeconds()} s, so set 20 or less.`,
    );
  }
  return seconds;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
