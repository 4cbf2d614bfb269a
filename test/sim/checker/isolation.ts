/** Boards are apart: whose token is another board's gets nothing here, whatever it knows. */
import type { Recording } from '../recording.ts';
import type { Violation } from './violation.ts';

export const STRANGER = 'stranger-';
export const isStranger = (actor: string): boolean => actor.startsWith(STRANGER);

export const checkIsolation = ({ calls }: Pick<Recording, 'calls'>): Violation[] =>
  calls
    .filter(({ actor, outcome }) => isStranger(actor) && outcome === 'ok')
    .map(({ actor, verb, cardId, invoked }) => ({
      rule: 'S16',
      at: invoked,
      what: `${actor}, of another board, did '${verb}' to ${cardId ?? 'the board'}`,
    }));
