/** Calls a handler as Lambda does: with a context, and not longer than its timeout. */
import type { Context } from 'aws-lambda';

export type Handler = (event: unknown, context: Context) => unknown;

export interface LocalFunction {
  /** Its name in the manifest. */
  readonly name: string;
  readonly handler: Handler;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

/**
 * @throws whatever the handler throws, or an Error once its time is over. Lambda ends the process then; here the
 * handler runs on, unheard.
 */
export async function invoke(target: LocalFunction, event: unknown, requestId: string): Promise<unknown> {
  const timeoutMs = target.timeoutSeconds * 1000;
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`Task timed out after ${target.timeoutSeconds} seconds.`));
  }, timeoutMs);
  try {
    return await Promise.race([target.handler(event, lambdaContext(target, requestId, timeoutMs)), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

function lambdaContext(target: LocalFunction, requestId: string, timeoutMs: number): Context {
  const deadline = performance.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: target.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${target.name}`,
    memoryLimitInMB: String(target.memoryMb),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${target.name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
    // Node's first generation of handlers: still in the type, no longer in the runtime.
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
