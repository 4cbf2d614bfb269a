/**
 * Conditions, built from the clauses that a row of the lifecycle names. The only place with condition text.
 */
import { transition, type Clause, type Op } from '../lifecycle.ts';

/** Values that clauses compare with. A clause whose value is missing is a programming error. */
export interface Pins {
  readonly sequence?: number;
  /** Name of the write before, `null` for none: a write without events leaves the sequence where it was. */
  readonly op_id?: string | null;
  readonly run?: number;
  readonly nonce?: string;
  readonly expires_at?: number;
  readonly lane?: string;
  readonly pos?: string;
  /** Runtime cap and assignee as the index showed them; `null` for none. */
  readonly max_runtime_ms?: number | null;
  readonly assignee?: string | null;
  readonly max_attempts?: number;
  readonly input_no?: number;
  /** Slots as they were read; `null` for none. */
  readonly slot?: string | null;
  readonly staged?: string;
}

export interface Expression {
  readonly text: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
}

const asSeen = (name: string, seen: unknown): string =>
  seen === null ? `attribute_not_exists(#${name})` : `#${name} = :c_${name}`;

const CLAUSES: Record<Clause, (pins: Pins) => string> = {
  absent: () => 'attribute_not_exists(#pk)',
  sequence: (pins) =>
    pins.op_id === undefined
      ? '#sequence = :c_sequence'
      : `#sequence = :c_sequence AND ${asSeen('op_id', pins.op_id)}`,
  holder: () => '#run = :c_run AND #nonce = :c_nonce',
  deadline: () => '#run = :c_run AND #expires_at = :c_expires_at',
  entry: (pins) =>
    '#lane = :c_lane AND #pos = :c_pos AND #run = :c_run' +
    ` AND ${asSeen('max_runtime_ms', pins.max_runtime_ms)} AND ${asSeen('assignee', pins.assignee)}`,
  lane: () => '#lane = :c_lane',
  attempts: () =>
    '((attribute_exists(#max_attempts) AND #attempt < #max_attempts) OR ' +
    '(attribute_not_exists(#max_attempts) AND #attempt < :c_max_attempts))',
  input: () => '#input_no = :c_input_no',
  leased: () => '#state = :c_leased',
  slots: (pins) => asSeen('slot', pins.slot),
  longer: () => '#expires_at <= :c_expires_at',
  staged: () => '#staged = :c_staged',
};

/** The condition of one op, with only the names and values that it uses. */
export function conditionOf(op: Op, pins: Pins): Expression {
  return expression(
    transition(op)
      .guard.map((clause) => CLAUSES[clause](pins))
      .join(' AND '),
    { ...pins, leased: 'leased' },
  );
}

/** Condition for an item of its own kind (slot, key record, register), in the same notation. */
export function expression(text: string, pins: Readonly<Record<string, unknown>>): Expression {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name] of text.matchAll(/#[a-z_]+/g)) names[name] = name.slice(1);
  for (const [name] of text.matchAll(/:c_[a-z_]+/g)) {
    const value = pins[name.slice(3)];
    if (value === undefined) throw new Error(`Condition needs a value for ${name}: ${text}`);
    values[name] = value;
  }
  return { text, names, values };
}

export const ABSENT = expression('attribute_not_exists(#pk)', {});
export const PRESENT = expression('attribute_exists(#pk)', {});
