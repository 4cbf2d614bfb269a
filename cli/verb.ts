/** A verb as a row: what it is called, what it takes, which operation of the API it is, and the call behind it. */
import type { LeaseboardClient, RequestOptions } from '../client/index.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Field } from './fields.ts';
import type { Session } from './session.ts';

/** What stands after the verb. In brackets: may be left out. */
export type Argument =
  | '<board>'
  | '[board]'
  | '<card>'
  | '[card]'
  | '<column>'
  | '<lease>'
  | '[lease]'
  | '<run>'
  | '<webhook>'
  | '<delivery>'
  | '<token-id>'
  | '<attachment>'
  | '<text>'
  | '<agent>'
  | '<model>'
  | '<file>';

export interface VerbCall {
  readonly session: Session;
  readonly client: LeaseboardClient;
  /** Of the command: a `[board]` that stands after the verb, or the one that is set. */
  readonly board: string;
  /** Names and keys are ids by now. */
  readonly args: Readonly<Record<string, string>>;
  /** What the flags say. The server checks it, field by field, so here it passes for whatever a call takes. */
  readonly input: never;
  readonly options: RequestOptions;
}

export interface Verb {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** By id, as the API's document names them. */
  readonly operations: readonly string[];
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly fields?: readonly Field[];
  /** Takes `--data`, a body in JSON that flags then change. */
  readonly data?: true;
  /** Takes `--clear FIELD`, which sets a field to null. */
  readonly clear?: true;
  /** Takes `--idempotency-key`. */
  readonly keyed?: true;
  /** Takes `--lease-token` for the card that it changes. */
  readonly asHolder?: true;
  /** Takes `--rev`, the revision that the card must still have. */
  readonly ifRev?: true;
  /** Must be confirmed by repeating the argument. */
  readonly confirm?: true;
  /** The lease's holder does it: takes `--lease-token`. When it ends the lease, the kept token goes. */
  readonly holder?: 'goes on' | 'ends';
  /** A list: what its table shows. */
  readonly columns?: readonly string[];
  /** Lists inside its answer that are shown as tables: the columns, by the lists' names. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  /** A list in pages: takes `--limit`, `--cursor` and `--all`. */
  readonly paged?: true;
  /** A list that makes a file: every page of it, an item a line, always. */
  readonly lines?: true;
  /** How it is called, after `leaseboard NOUN VERB`. */
  readonly example: string;
  readonly run: (call: VerbCall) => Promise<unknown>;
  /** Where an answer is no plain success. */
  readonly exitCode?: (answer: unknown) => ExitCode;
}

export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}
