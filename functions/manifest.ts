/**
 * Every function of the stack: what starts it, what it is told and what it may do.
 *
 * infra/ builds the stack from this table, local/ serves from it, and a test holds the synthesized template
 * against it, so nothing is wired twice. It names files and permissions only; it imports no handler.
 */
import type { EnvName } from '../shared/env.ts';
import { SILENT_OPS } from '../shared/lifecycle.ts';
import type { EventPattern } from './event-pattern.ts';

/** DynamoDB actions as IAM names them. A transaction needs the action of each of its parts, nothing of its own. */
export type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem';

/**
 * Records of the table's stream that start a function, from the oldest there is. It answers which of a batch failed
 * (`batchItemFailures`), and these come again with all behind them; a batch that throws is halved. What has failed
 * too often or grown too old is noted in a queue and given up, so that no record blocks its shard for good.
 */
export interface StreamTrigger {
  /** Any one has to match. A mapping of DynamoDB shows them the record's `dynamodb`, and nothing else of it. */
  readonly filters: readonly EventPattern[];
  readonly batchSize: number;
  readonly retries: number;
  readonly maxAgeSeconds: number;
}

/**
 * Messages of the queue of deliveries that start a function. It answers which of a batch failed, and only these come
 * again; one that was received too often is put among the dead letters.
 */
export interface QueueTrigger {
  readonly batchSize: number;
  /** How long a message that was received is hidden from others. */
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
}

/** What a function may do with deliveries: nothing, queue them, or also put off for hours what it queues. */
export type DeliveryAccess = 'none' | 'queue' | 'schedule';

/** S3 actions as IAM names them. Looking whether a file is there is a `GetObject`, and without `ListBucket` a 403. */
export type BucketAction = 'GetObject' | 'PutObject' | 'DeleteObject' | 'ListBucket';

export interface FunctionSpec {
  /** Path of the handler from the project's root; the module exports `handler`. */
  readonly entry: string;
  readonly purpose: string;
  /**
   * HTTP API route keys. A gateway matches whole segments, so `col_1:claim-next` arrives as `{column}` and the
   * function splits the verb off; `/{verb}` is the alias of `:verb`. `$default` takes what no other route takes.
   */
  readonly routes: readonly string[];
  /** Minutes between two runs of a scheduled function; null for a function that only answers requests. */
  readonly everyMinutes: number | null;
  readonly stream: StreamTrigger | null;
  readonly queue: QueueTrigger | null;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: readonly EnvName[];
  readonly table: readonly TableAction[];
  /** Names of the indexes that it queries. */
  readonly indexes: readonly ('lanes' | 'by_board')[];
  /** May read the secret that signs lease tokens. */
  readonly leaseKey: boolean;
  /** May read the secret of the first admin token. */
  readonly adminToken: boolean;
  /** May put events on the bus. */
  readonly eventBus: boolean;
  readonly deliveries: DeliveryAccess;
  /** On the files of attachments. What a function signs for others, it must be allowed itself. */
  readonly bucket: readonly BucketAction[];
}

/**
 * Transitions of cards and boards. Positive, so that the function's own rows and pages, slots, tokens and what TTL
 * deletes never wake it; and by what an op is not, so that a transition which is new wakes it too.
 */
const TRANSITIONS: EventPattern = {
  dynamodb: {
    Keys: { sk: { S: ['JOB', 'BOARD'] } },
    NewImage: { op: { S: [{ 'anything-but': SILENT_OPS }] } },
  },
};

export const FUNCTIONS = {
  claim: {
    entry: 'functions/claim/handler.ts',
    purpose: 'Every POST on a column: claim-next, claim-batch, pause, resume, redrive',
    routes: ['POST /v1/boards/{board}/columns/{column}', 'POST /v1/boards/{board}/columns/{column}/{verb}'],
    everyMinutes: null,
    stream: null,
    queue: null,
    memoryMb: 512,
    timeoutSeconds: 29,
    environment: ['TABLE_NAME', 'LEASE_KEY_SECRET_ID', 'MAX_WAIT_SECONDS', 'OIDC', 'TRACE_RATE'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes'],
    leaseKey: true,
    adminToken: false,
    eventBus: false,
    deliveries: 'none',
    bucket: [],
  },
  lease: {
    entry: 'functions/lease/handler.ts',
    purpose: 'Every POST on a lease: renew, complete, fail, release and their batch',
    routes: ['POST /v1/leases/{lease}', 'POST /v1/leases/{lease}/{verb}', 'POST /v1/leases:renew-batch'],
    everyMinutes: null,
    stream: null,
    queue: null,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'ATTACHMENTS_URL',
      'OIDC',
      'TRACE_RATE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: [],
    leaseKey: true,
    adminToken: false,
    eventBus: false,
    deliveries: 'none',
    bucket: ['GetObject', 'ListBucket'],
  },
  api: {
    entry: 'functions/api/handler.ts',
    purpose: 'Everything else: boards, columns, contracts, cards, leases and runs to read, tokens',
    routes: ['$default'],
    everyMinutes: null,
    stream: null,
    queue: null,
    memoryMb: 512,
    timeoutSeconds: 29,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'DELIVERY_QUEUE_URL',
      'WEBHOOK_TARGETS',
      'ATTACHMENTS_URL',
      'OIDC',
      'TRACE_RATE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes', 'by_board'],
    leaseKey: true,
    adminToken: false,
    eventBus: false,
    deliveries: 'queue',
    bucket: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'],
  },
  mcp: {
    entry: 'functions/mcp/handler.ts',
    purpose: 'The tools of agents over MCP; and that there is no OAuth server, where clients look for one',
    // Every method on /mcp: a token is asked for before a wrong method is told.
    routes: ['ANY /mcp', 'GET /mcp/.well-known/{path+}', 'GET /.well-known/{path+}'],
    everyMinutes: null,
    stream: null,
    queue: null,
    // Twice the others': the protocol's library is twice their code to load, and a host's model waits for it.
    memoryMb: 1024,
    timeoutSeconds: 29,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'ATTACHMENTS_URL',
      'OIDC',
      'TRACE_RATE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes', 'by_board'],
    leaseKey: true,
    adminToken: false,
    eventBus: false,
    deliveries: 'none',
    bucket: ['GetObject', 'PutObject', 'DeleteObject', 'ListBucket'],
  },
  reaper: {
    entry: 'functions/reaper/handler.ts',
    purpose: 'Once a minute: expire, requeue or dead-letter, promote what is due, heal slots',
    routes: [],
    everyMinutes: 1,
    stream: null,
    queue: null,
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'DELIVERY_QUEUE_URL',
      'ATTACHMENTS_URL',
      'METRICS_NAMESPACE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes', 'by_board'],
    leaseKey: false,
    adminToken: false,
    eventBus: false,
    deliveries: 'queue',
    bucket: ['DeleteObject'],
  },
  fanout: {
    entry: 'functions/fanout/handler.ts',
    purpose: 'Every transition: into the log and the feed, onto the bus, to the webhooks',
    routes: [],
    everyMinutes: null,
    stream: {
      filters: [TRANSITIONS],
      batchSize: 100,
      // No content makes a record fail, so what fails is the table or the bus: their outages are sat out. The
      // stream keeps records for 24 h; after six, whoever was alarmed has the rest to put things right.
      retries: 1_000,
      maxAgeSeconds: 21_600,
    },
    queue: null,
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'EVENT_BUS_NAME',
      'DELIVERY_QUEUE_URL',
      'METRICS_NAMESPACE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: [],
    leaseKey: false,
    adminToken: false,
    eventBus: true,
    deliveries: 'queue',
    bucket: [],
  },
  sender: {
    entry: 'functions/sender/handler.ts',
    purpose: 'Every delivery to a webhook: sign, send, note what became of it, try again',
    routes: [],
    everyMinutes: null,
    stream: null,
    // Hidden for six times the timeout, as AWS asks: while Lambda may still start the function with it. What makes
    // it fail is the table, not a receiver, and the delivery's row outlives the message.
    queue: { batchSize: 10, visibilitySeconds: 360, maxReceives: 5 },
    memoryMb: 512,
    // A chain of sends, its last one's 20 s, and room to write.
    timeoutSeconds: 60,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'DELIVERY_QUEUE_URL',
      'DELIVERY_QUEUE_ARN',
      'DELIVERY_SCHEDULE_GROUP',
      'DELIVERY_SCHEDULE_ROLE_ARN',
      'WEBHOOK_TARGETS',
      'METRICS_NAMESPACE',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    indexes: [],
    leaseKey: true,
    adminToken: false,
    eventBus: false,
    deliveries: 'schedule',
    bucket: [],
  },
  setup: {
    entry: 'functions/setup/handler.ts',
    purpose: 'At deployments: boards, contracts, roles and webhooks as the code says, the first admin token',
    routes: [],
    everyMinutes: null,
    stream: null,
    queue: null,
    memoryMb: 512,
    // A contract that makes a queue of a column full of cards puts them right for seconds.
    timeoutSeconds: 120,
    environment: [
      'TABLE_NAME',
      'LEASE_KEY_SECRET_ID',
      'MAX_WAIT_SECONDS',
      'WEBHOOK_TARGETS',
      'ADMIN_TOKEN_SECRET_ID',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes'],
    leaseKey: true,
    adminToken: true,
    eventBus: false,
    deliveries: 'none',
    bucket: [],
  },
} as const satisfies Record<string, FunctionSpec>;

/** Deployed only where tracing was asked for, and started by what the functions log. */
export const TRACER: FunctionSpec = {
  entry: 'functions/tracer/handler.ts',
  purpose: 'Spans of sampled requests, from the logs to X-Ray',
  routes: [],
  everyMinutes: null,
  stream: null,
  queue: null,
  memoryMb: 256,
  timeoutSeconds: 30,
  environment: ['TRACES_URL'],
  table: [],
  indexes: [],
  leaseKey: false,
  adminToken: false,
  eventBus: false,
  deliveries: 'none',
  bucket: [],
};

export type FunctionName = keyof typeof FUNCTIONS;
