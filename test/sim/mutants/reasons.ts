/**
 * Why a mutant may survive: what it takes away is said twice. A survivor without a reason here fails the run; so does
 * nothing else, for a reason that is no longer needed does no harm.
 */
import { transition } from '../../../shared/lifecycle.ts';
import type { Mutant } from './mutant.ts';

/** Attributes that people are shown, or that only tidy: no promise rests on them. */
const SHOWN = new Set(['note', 'progress', 'beat_at', 'abandoned', 'rev', 'comments', 'title', 'refunds']);

export function reasonFor(mutant: Mutant): string | null {
  if (mutant.kind === 'unset') return reasonForAttribute(mutant.attribute);
  if (mutant.op === 'rearm')
    return 'an alarm that rings early rings again: it costs a look, and breaks nothing';
  if (mutant.kind === 'invert') return null;
  const { guard } = transition(mutant.op);
  const alone = guard.length === 1;
  switch (mutant.clause) {
    case 'absent':
      return 'an id is made once: there is nothing to meet';
    case 'holder':
    case 'deadline':
    case 'longer':
      return guard.includes('sequence')
        ? 'what was read is pinned by sequence and op_id, and the verb has looked at it'
        : null;
    case 'leased':
    case 'slots':
      return alone ? null : 'the other clauses name the very lease, and end with it';
    case 'staged':
      return 'what it writes is the same whoever writes it';
    default:
      return null;
  }
}

function reasonForAttribute(attribute: string): string | null {
  if (SHOWN.has(attribute)) return 'shown to people; no promise rests on it';
  if (attribute === 'op_id') return 'where the sequence rises too, it alone tells two writes apart';
  return null;
}
