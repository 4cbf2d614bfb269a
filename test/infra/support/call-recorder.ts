/**
 * Notes what each function of the manifest asks of AWS while it runs: every command of every SDK client, and every
 * request to the bucket that it signs, for itself or for others. Below the verbs and above the network, so that no
 * call is made that is not seen.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import type { FunctionName } from '../../../functions/manifest.ts';

/** What is asked for, by the part that it has in the stack. */
export type Target =
  | 'table'
  | 'index lanes'
  | 'index by_board'
  | 'event bus'
  | 'delivery queue'
  | 'schedule'
  | 'schedule role'
  | 'lease key'
  | 'admin token'
  | 'files'
  | 'bucket';

/** One permission that a call needs. */
export interface Need {
  readonly action: string;
  readonly target: Target;
}

type Input = Readonly<Record<string, unknown>>;
type Handler<A extends unknown[]> = (...args: A) => unknown;

const TRANSACTION_PARTS = { Put: 'PutItem', Update: 'UpdateItem', Delete: 'DeleteItem' } as const;
/** Looking whether a file is there needs the list too: without it S3 answers 403 for one that is not. */
const FILE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GET: ['GetObject'],
  HEAD: ['GetObject', 'ListBucket'],
  PUT: ['PutObject'],
  DELETE: ['DeleteObject'],
};
const CLIENTS = [
  DynamoDBDocumentClient,
  DynamoDBClient,
  EventBridgeClient,
  SchedulerClient,
  SecretsManagerClient,
  SQSClient,
];

export class CallRecorder {
  readonly #running = new AsyncLocalStorage<FunctionName>();
  readonly #needs = new Map<FunctionName, Map<string, Need>>();
  readonly #restore: (() => void)[] = [];
  readonly #fails: ((name: FunctionName, call: unknown) => boolean)[] = [];

  /** Watches from now on, until `stop`. */
  constructor() {
    for (const prototype of new Set(CLIENTS.map(({ prototype }) => ownerOf(prototype, 'send')))) {
      this.#watch(prototype, 'send', (command) => needsOf(command));
    }
    this.#watch(SignatureV4.prototype, 'presign', (request) => {
      const { method } = request as { method: string };
      return (FILE_ACTIONS[method] ?? [method]).map((action) => ({
        action: `s3:${action}`,
        target: action === 'ListBucket' ? 'bucket' : 'files',
      }));
    });
  }

  stop(): void {
    for (const restore of this.#restore) restore();
  }

  /** The handler, whose calls are noted under the function's name. */
  wrap<A extends unknown[]>(name: FunctionName, handler: Handler<A>): Handler<A> {
    return (...args) => this.#running.run(name, () => handler(...args));
  }

  /** What a function has needed so far. */
  needsOf(name: FunctionName): readonly Need[] {
    return [...(this.#needs.get(name)?.values() ?? [])];
  }

  /** The next call for which this is true fails, as if the function had died there. */
  failOnce(fails: (name: FunctionName, call: unknown) => boolean): void {
    this.#fails.push(fails);
  }

  #watch(owner: object, method: string, needs: (first: unknown) => readonly Need[]): void {
    const original = Reflect.get(owner, method) as (...args: unknown[]) => unknown;
    const note = (first: unknown): void => {
      const name = this.#running.getStore();
      if (name === undefined) return;
      this.#note(name, needs(first));
      const at = this.#fails.findIndex((fails) => fails(name, first));
      if (at < 0) return;
      this.#fails.splice(at, 1);
      throw new Error('The tour lets this call fail.');
    };
    Reflect.set(owner, method, function watched(this: unknown, ...args: unknown[]) {
      note(args[0]);
      return original.apply(this, args);
    });
    this.#restore.push(() => void Reflect.set(owner, method, original));
  }

  #note(name: FunctionName, needs: readonly Need[]): void {
    const known = this.#needs.get(name) ?? new Map<string, Need>();
    for (const need of needs) known.set(`${need.action} ${need.target}`, need);
    this.#needs.set(name, known);
  }
}

/** The prototype that a method is written on. */
function ownerOf(prototype: object, method: string): object {
  let owner: object | null = prototype;
  while (owner !== null && !Object.hasOwn(owner, method)) {
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  if (owner === null) throw new Error(`No prototype has the method ${method}: the SDK has changed.`);
  return owner;
}

/** @throws Error for a command that nobody has said the permissions of: a new kind of call is a new row here. */
function needsOf(command: unknown): readonly Need[] {
  const { input } = command as { input: Input };
  const { name } = (command as object).constructor;
  const operation = name.replace(/Command$/, '');
  switch (operation) {
    case 'Get':
    case 'Put':
    case 'Update':
    case 'Delete':
      return [{ action: `dynamodb:${operation}Item`, target: 'table' }];
    case 'BatchGet':
      return [{ action: 'dynamodb:BatchGetItem', target: 'table' }];
    case 'Query':
      return [{ action: 'dynamodb:Query', target: queried(input) }];
    case 'TransactWrite':
      return transactionNeeds(input);
    case 'PutEvents':
      return [{ action: 'events:PutEvents', target: 'event bus' }];
    case 'SendMessage':
    case 'SendMessageBatch':
      return [{ action: 'sqs:SendMessage', target: 'delivery queue' }];
    case 'CreateSchedule':
      return [
        { action: 'scheduler:CreateSchedule', target: 'schedule' },
        { action: 'iam:PassRole', target: 'schedule role' },
      ];
    case 'GetSecretValue':
      return [{ action: 'secretsmanager:GetSecretValue', target: secret(input) }];
    default:
      throw new Error(`What permissions does ${name} need? Add it to the recorder.`);
  }
}

function queried({ IndexName: index }: Input): Target {
  if (index === undefined) return 'table';
  if (index === 'lanes' || index === 'by_board') return `index ${index}`;
  throw new Error(`An unknown index was queried: ${JSON.stringify(index)}`);
}

function secret({ SecretId: id }: Input): Target {
  return String(id).includes('lease-key') ? 'lease key' : 'admin token';
}

function transactionNeeds({ TransactItems: parts }: Input): readonly Need[] {
  return (parts as object[]).flatMap((part) =>
    Object.keys(part).map((kind) => {
      const action = TRANSACTION_PARTS[kind as keyof typeof TRANSACTION_PARTS];
      if (action === undefined) throw new Error(`A transaction has a part of a new kind: ${kind}`);
      return { action: `dynamodb:${action}`, target: 'table' as const };
    }),
  );
}
