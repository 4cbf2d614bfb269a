/**
 * Ids. Made ones are a prefix and a ULID; derived ones (lease, run, event) are made of the card's ULID and a
 * number, so that a verb needs no look-up and a repeat has the same id. No id holds a dot or a `#`.
 */
import { ulid } from 'ulid';
import type { Deps } from './deps.ts';

export type IdPrefix = 'brd' | 'col' | 'crd' | 'tok' | 'cmt' | 'att' | 'whk' | 'sch';

const ULID = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const MADE = new RegExp(`^([a-z]{3})_(${ULID})$`);
const DERIVED = new RegExp(`^([a-z]{3})_(${ULID})_([1-9][0-9]{0,8})$`);

export function newId(prefix: IdPrefix, deps: Deps): string {
  return `${prefix}_${ulid(deps.now(), () => deps.random())}`;
}

/** True only for an id that this system could have made: a path id that fails is simply not found. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return MADE.exec(text)?.[1] === prefix;
}

/** The ULID within a made id. */
export function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

export const leaseId = (cardId: string, run: number): string => `lse_${ulidOf(cardId)}_${run}`;
export const runId = (cardId: string, run: number): string => `run_${ulidOf(cardId)}_${run}`;
export const eventId = (subjectId: string, sequence: number): string =>
  `evt_${ulidOf(subjectId)}_${sequence}`;

/** Card and number behind a lease's or a run's id; null for anything else. */
export function parseDerived(prefix: 'lse' | 'run', text: string): { cardId: string; run: number } | null {
  const match = DERIVED.exec(text);
  if (match?.[1] !== prefix) return null;
  return { cardId: `crd_${match[2]}`, run: Number(match[3]) };
}
