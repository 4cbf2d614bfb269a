/** What a deployer may say of a Leaseboard. Everything is optional, and what is left out is what production wants. */
import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Scope } from './scope.ts';

export interface LeaseboardProps {
  /**
   * For trying things out: all data goes with the stack, and there is no recovery to a point in time.
   * @default false
   */
  readonly devMode?: boolean;

  /**
   * What becomes of the table, the files and the lease key when the stack is deleted. DESTROY also lifts deletion
   * protection.
   * @default RemovalPolicy.RETAIN, and DESTROY in `devMode`
   */
  readonly removalPolicy?: RemovalPolicy;

  /**
   * A table made elsewhere, with the keys, the indexes, the stream and the time to live of `BoardTable`: a restored
   * one, for instance.
   * @default - a table of its own
   */
  readonly table?: ITableV2;

  /**
   * A lease key made elsewhere, by its complete ARN: that of the deployment which wrote `table`. With another one the
   * leases that are out are lost, and the secrets of webhooks have to be rotated.
   * @default - one of its own
   */
  readonly leaseKeySecret?: ISecret;

  /**
   * Encrypts the table, the files and the secrets. A key costs $1 a month, and each call of the table may
   * use it. The stack must then name its region (`env`).
   * @default - keys that AWS owns
   */
  readonly encryptionKey?: IKey;

  /**
   * Name that the API answers to, which you point at the output `DomainTarget`. Needs `certificate`.
   * @default - a name of API Gateway's
   */
  readonly domainName?: string;

  /**
   * Certificate of `domainName`, in the stack's region.
   * @default - none
   */
  readonly certificate?: ICertificate;

  /**
   * Whether the API no longer answers to API Gateway's own name, but to `domainName` alone.
   * @default false
   */
  readonly disableExecuteApiEndpoint?: boolean;

  /**
   * Origins of other sites' pages that may call the API: `https://board.example.com`. Once there are any, files may be
   * moved from their pages only. The deployed board needs none: it has the API under its own name.
   * @default - none
   */
  readonly corsAllowOrigins?: readonly string[];

  /**
   * Issuer of people's identity tokens (OpenID Connect), exactly as it names itself. Needs `oidcAudience`.
   * @default - people use API tokens
   */
  readonly oidcIssuer?: string;

  /**
   * Audience that identity tokens must be for: the client id, as a rule.
   * @default - none
   */
  readonly oidcAudience?: string;

  /**
   * Claim that lists a person's groups.
   * @default 'groups'
   */
  readonly oidcGroupsClaim?: string;

  /**
   * What the people of each group may do; of several groups the widest counts.
   * @default - nobody may do anything
   */
  readonly oidcGroupScopes?: Readonly<Record<string, Scope>>;

  /**
   * Keeps a first admin token in Secrets Manager, for $0.40 a month. Without it the first token is made by hand:
   * `infra/create-admin-token.ts`.
   * @default true
   */
  readonly adminTokenSecret?: boolean;

  /**
   * Told of every alarm, and of its end.
   * @default - alarms are seen in CloudWatch only
   */
  readonly alarmTopic?: ITopic;

  /**
   * The longest that a claim with `wait_seconds` is held open, at most 20 seconds. Each waiting worker holds an
   * execution, and a renewal that finds none free loses its lease: raise it only with concurrency to spare.
   * @default Duration.seconds(0)
   */
  readonly longPollMaxWait?: Duration;

  /**
   * Records spans of requests, as OpenTelemetry has them, and sends them to X-Ray: of one trace in a hundred, or of the
   * share that `samplingRate` says, above 0 and up to 1. It bounds what callers ask for; give 1 where they sample
   * themselves. X-Ray takes spans once Transaction Search is turned on in the account.
   * @default - nothing is recorded; the trace that a caller names is still carried along
   */
  readonly tracing?: { readonly samplingRate?: number };

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
   * Executions set aside for what deployments set up; one is enough.
   * @default - shares the account's concurrency
   */
  readonly setupReservedConcurrency?: number;

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
