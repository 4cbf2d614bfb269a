/**
 * Why a card is not offered: a closed list, and for each code what cures it. A cure is a request as it is sent; a
 * null body is one that only a person can fill in.
 */

export const DIAGNOSTIC_CODES = [
  'draft',
  'on_hold',
  'container_empty',
  'container_open',
  'parents_open',
  'parent_dead',
  'parent_archived',
  'parent_gone',
  'input_invalid',
  'scheduled',
  'backing_off',
  'not_in_a_queue',
  'blocked',
  'dead',
  'held',
  'board_archived',
  'column_paused',
  'column_full',
  'board_full',
  'assignee_full',
  'four_eyes',
  'corrupt',
] as const;
export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

export interface Action {
  /** Name of the operation, as the document has it. */
  readonly verb: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** What a DELETE says, and a verb that asks for nothing. */
export const NO_BODY = {};

export interface Diagnosis {
  readonly code: DiagnosticCode;
  readonly sentence: string;
  /** Null where nothing over the API helps. */
  readonly action: Action | null;
}

/** A verb of a card. */
export const post = (verb: string, cardId: string, word: string, body: Action['body'] = NO_BODY): Action => ({
  verb,
  method: 'POST',
  path: `/v1/cards/${cardId}:${word}`,
  body,
});

export const patch = (cardId: string, body: Action['body']): Action => ({
  verb: 'patchCard',
  method: 'PATCH',
  path: `/v1/cards/${cardId}`,
  body,
});
