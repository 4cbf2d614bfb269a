/**
 * Mutants of the state table: each clause of each row's condition dropped, or turned into its opposite, and each
 * attribute that a row's write sets left out. Made from the table itself, so that a new row has its mutants at once.
 */
import { LIFECYCLE, transition, type Clause, type Op } from '../../../shared/lifecycle.ts';

export type Mutant =
  | { readonly kind: 'drop' | 'invert'; readonly op: Op; readonly clause: Clause }
  | { readonly kind: 'unset'; readonly op: Op; readonly attribute: string };

export const OPS = Object.keys(LIFECYCLE) as Op[];

export const nameOf = (mutant: Mutant): string =>
  mutant.kind === 'unset'
    ? `${mutant.op}: sets no ${mutant.attribute}`
    : `${mutant.op}: ${mutant.kind === 'drop' ? 'without' : 'against'} ${mutant.clause}`;

export const clauseMutants = (): Mutant[] =>
  OPS.flatMap((op) =>
    transition(op).guard.flatMap((clause): Mutant[] => [
      { kind: 'drop', op, clause },
      { kind: 'invert', op, clause },
    ]),
  );

/** A clause as conditions.ts writes it. A row's condition is its clauses, joined by AND. */
export const CLAUSE_TEXT: Record<Clause, RegExp> = {
  absent: /attribute_not_exists\(#pk\)/,
  sequence: /#sequence = :c_sequence(?: AND (?:#op_id = :c_op_id|attribute_not_exists\(#op_id\)))?/,
  holder: /#run = :c_run AND #nonce = :c_nonce/,
  deadline: /#run = :c_run AND #expires_at = :c_expires_at/,
  entry:
    /#lane = :c_lane AND #pos = :c_pos AND #run = :c_run AND \S+ ?=? ?\S* AND (?:#assignee = :c_assignee|attribute_not_exists\(#assignee\))/,
  lane: /#lane = :c_lane/,
  attempts: /\(\(attribute_exists\(#max_attempts\).*?:c_max_attempts\)\)/,
  input: /#input_no = :c_input_no/,
  leased: /#state = :c_leased/,
  slots: /#slot = :c_slot|attribute_not_exists\(#slot\)/,
  longer: /#expires_at <= :c_expires_at/,
  staged: /#staged = :c_staged/,
};
