/** Who is calling, as the token says, and under which agent name. */
import type { Caller, Engine } from '../engine.ts';
import { callerView, type CallerView } from '../views/token.ts';

export async function getMe(engine: Engine, caller: Caller): Promise<CallerView> {
  return callerView(caller, engine.deps.now());
}
