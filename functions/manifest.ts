/**
 * Every function of the stack: what starts it, what it is told and what it may do.
 *
 * infra/ builds the stack from this table, local/ serves from it, and a test holds the synthesized template
 * against it, so nothing is wired twice. It names files and permissions only; it imports no handler.
 */
import type { EnvName } from '../shared/env.ts';

/** DynamoDB actions as IAM names them. A transaction needs the action of each of its parts, nothing of its own. */
export type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem';

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
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly environment: readonly EnvName[];
  readonly table: readonly TableAction[];
  /** Names of the indexes that it queries. */
  readonly indexes: readonly ('lanes' | 'by_board')[];
  /** May read the secret that signs lease tokens. */
  readonly leaseKey: boolean;
}

export const FUNCTIONS = {
  claim: {
    entry: 'functions/claim/handler.ts',
    purpose: 'Every POST on a column: claim-next, claim-batch, pause, resume, redrive',
    routes: ['POST /v1/boards/{board}/columns/{column}', 'POST /v1/boards/{board}/columns/{column}/{verb}'],
    everyMinutes: null,
    memoryMb: 512,
    timeoutSeconds: 29,
    environment: ['TABLE_NAME', 'LEASE_KEY_SECRET_ID', 'MAX_WAIT_SECONDS'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes'],
    leaseKey: true,
  },
  lease: {
    entry: 'functions/lease/handler.ts',
    purpose: 'Every POST on a lease: renew, complete, fail, release and their batch',
    routes: ['POST /v1/leases/{lease}', 'POST /v1/leases/{lease}/{verb}', 'POST /v1/leases:renew-batch'],
    everyMinutes: null,
    memoryMb: 512,
    timeoutSeconds: 15,
    environment: ['TABLE_NAME', 'LEASE_KEY_SECRET_ID', 'MAX_WAIT_SECONDS'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes'],
    leaseKey: true,
  },
  api: {
    entry: 'functions/api/handler.ts',
    purpose: 'Everything else: boards, columns, contracts, cards, leases and runs to read, tokens',
    routes: ['$default'],
    everyMinutes: null,
    memoryMb: 512,
    timeoutSeconds: 29,
    environment: ['TABLE_NAME', 'LEASE_KEY_SECRET_ID', 'MAX_WAIT_SECONDS'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes', 'by_board'],
    leaseKey: true,
  },
  reaper: {
    entry: 'functions/reaper/handler.ts',
    purpose: 'Once a minute: expire, requeue or dead-letter, promote what is due, heal slots',
    routes: [],
    everyMinutes: 1,
    memoryMb: 512,
    timeoutSeconds: 60,
    environment: ['TABLE_NAME', 'LEASE_KEY_SECRET_ID', 'MAX_WAIT_SECONDS'],
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['lanes', 'by_board'],
    leaseKey: false,
  },
} as const satisfies Record<string, FunctionSpec>;

export type FunctionName = keyof typeof FUNCTIONS;
