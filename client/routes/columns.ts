/** Columns, their contracts, and the claims that they hand out. */
import {
  at,
  change,
  create,
  once,
  read,
  remove,
  repeatable,
  replace,
  type RequestOptions,
  type Send,
} from '../call.ts';
import type {
  ClaimAnswer,
  ClaimBatchAnswer,
  ClaimInput,
  Column,
  ColumnInput,
  Contract,
  ContractInput,
  Redriven,
} from '../types.ts';

export function columnRoutes(send: Send) {
  const path = (board: string, column: string): string => at`/v1/boards/${board}/columns/${column}`;
  return {
    create: (board: string, input: ColumnInput, options?: RequestOptions) =>
      send<Column>(create(at`/v1/boards/${board}/columns`, input), options),
    update: (board: string, column: string, patch: Partial<ColumnInput>, options?: RequestOptions) =>
      send<Column>(change(path(board, column), patch), options),
    /** 409 `conflict` unless the column is empty. */
    delete: (board: string, column: string, options?: RequestOptions) =>
      send<void>(remove(path(board, column)), options),
    contract: (board: string, column: string, options?: RequestOptions) =>
      send<Contract>(read(`${path(board, column)}/contract`), options),
    /** Replaces the whole contract: what is left out takes its default. */
    setContract: (board: string, column: string, contract: ContractInput, options?: RequestOptions) =>
      send<Contract>(replace(`${path(board, column)}/contract`, contract), options),
    pause: (board: string, column: string, options?: RequestOptions) =>
      send<Column>(repeatable(`${path(board, column)}:pause`), options),
    resume: (board: string, column: string, options?: RequestOptions) =>
      send<Column>(repeatable(`${path(board, column)}:resume`), options),
    /** Brings back what died in the column or lies dead in it, a page a call. */
    redrive: (board: string, column: string, options?: RequestOptions) =>
      send<Redriven>(once(`${path(board, column)}:redrive`), options),
    /** The best card under a lease, or why there is none and when to ask again. */
    claimNext: (board: string, column: string, input: ClaimInput = {}, options?: RequestOptions) =>
      send<ClaimAnswer>(
        {
          ...create(`${path(board, column)}:claim-next`, input),
          serverWaitMs: (input.wait_seconds ?? 0) * 1000,
        },
        options,
      ),
    /** Up to `max` (1-10) cards, each under its own lease. */
    claimBatch: (
      board: string,
      column: string,
      input: ClaimInput & { readonly max: number },
      options?: RequestOptions,
    ) =>
      send<ClaimBatchAnswer>(
        {
          ...create(`${path(board, column)}:claim-batch`, input),
          serverWaitMs: (input.wait_seconds ?? 0) * 1000,
        },
        options,
      ),
  };
}
