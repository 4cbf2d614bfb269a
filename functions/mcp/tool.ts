/**
 * What a tool is: a name and words for a model over one route of the HTTP API. Verb, schemas, scope and answer are
 * the route's, so that the two doors cannot drift apart.
 */
import type * as z from 'zod';
import { operationOf } from '../http/operations.ts';
import { isOpen, type Method, type OpenRoute, type Route } from '../http/route.ts';

/** What a host may conclude before it calls. All four are said: left out, they mean the worst. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True where the tool reaches beyond the board. */
  readonly openWorldHint: boolean;
}

const CLOSED = { openWorldHint: false } as const;

/** Changes nothing. */
export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  ...CLOSED,
};
/** Does something more each time that it is called. */
export const ADDS: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  ...CLOSED,
};
/** Called again with the same arguments it changes nothing more. */
export const SETS: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  ...CLOSED,
};
/** What was there before is gone; a host may ask a person first. */
export const DESTROYS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  ...CLOSED,
};

export interface ToolRow {
  /** Verb and noun. */
  readonly name: string;
  /** The route that it calls, as `METHOD /path`. */
  readonly route: `${Method} /${string}`;
  readonly hints: Hints;
  /** For the model that chooses: what it does, when to use it, what to do next. */
  readonly description: string;
  /** Set where a repeat after a lost answer resumes the claim; other repeatable routes take `idempotency_key`. */
  readonly repeatKey?: 'claim_key';
  /** The answer holds words that people or agents wrote, and says that they are no instructions. */
  readonly untrusted: boolean;
}

export interface Tool extends ToolRow {
  readonly calls: Route;
  /** Null where the route answers nothing. */
  readonly answer: z.ZodType | null;
}

/** @throws Error naming the row whose route there is not. */
export function toolOf(row: ToolRow, routes: readonly (Route | OpenRoute)[]): Tool {
  const calls = routes.find((route) => `${route.method} ${route.path}` === row.route);
  if (calls === undefined || isOpen(calls)) {
    throw new Error(`The tool ${row.name} calls '${row.route}', which is no route that takes a token.`);
  }
  return { ...row, calls, answer: operationOf(calls).answer };
}
