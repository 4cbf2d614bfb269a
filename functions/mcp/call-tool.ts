/** Calls a tool: the caller's scope, the arguments as its route takes them, the route's verb, the result. */
import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import { nameAgent } from '../../shared/auth/name-agent.ts';
import type { Caller, Engine } from '../../shared/engine.ts';
import { isProblem } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-schema/json.ts';
import type { Trace } from '../http/request-handler.ts';
import { mustHold } from '../http/route.ts';
import { internalProblem } from '../http/write-answer.ts';
import { routeRequest } from './arguments.ts';
import { answerResult, refusalResult } from './results.ts';
import type { Tool } from './tool.ts';

export interface ToolSession {
  readonly engine: Engine;
  readonly caller: Caller;
  /** Name that the connection gives itself; null for none. */
  readonly agent: string | null;
  readonly trace: Trace;
}

/**
 * @param given The arguments as sent; nothing is as good as an empty object.
 * @throws ProtocolError for what nobody foresaw, without a word of it: the trace has it.
 */
export async function callTool(session: ToolSession, tool: Tool, given: unknown): Promise<CallToolResult> {
  const { engine, caller, agent, trace } = session;
  try {
    mustHold(caller, tool.calls);
    const request = routeRequest(tool, isObject(given) ? given : {}, agent, trace.span?.traceparent ?? null);
    trace.ids = request.params;
    trace.caller = nameAgent(caller, request.agent);
    return answerResult(tool, await tool.calls.run(engine, trace.caller, request));
  } catch (error) {
    trace.error = error;
    if (isProblem(error)) return refusalResult(error, trace.requestId);
    throw new ProtocolError(ProtocolErrorCode.InternalError, internalProblem(trace.requestId).message);
  }
}
