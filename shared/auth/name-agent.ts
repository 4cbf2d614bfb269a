/** The name that a session gives itself, beside the one that its token may be bound to. */
import type { Caller } from '../engine.ts';
import { problem } from '../errors.ts';

/**
 * The caller under the agent name that the request states.
 *
 * @param name null when the request names none.
 * @throws Problem `forbidden` when the token is bound to another name: a bound token speaks for one agent only.
 */
export function nameAgent(caller: Caller, name: string | null): Caller {
  if (name === null || name === caller.agent) return caller;
  if (caller.agent !== null) {
    throw problem(
      'forbidden',
      `This token is bound to the agent '${caller.agent}' and cannot speak for '${name}'. Leave the name out.`,
    );
  }
  return { ...caller, agent: name };
}
