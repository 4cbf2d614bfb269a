/** SIGTERM and SIGINT where there are such: in browsers this does nothing. */

/** The little of Node's `process` that is needed, looked up at run time: client/ imports nothing of Node's. */
interface SignalSource {
  once(name: string, listener: () => void): unknown;
  removeListener(name: string, listener: () => void): unknown;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Calls `stop` at the first signal and then steps aside, so that a second signal ends the process at once.
 * Returns what takes the listeners off.
 */
export function onTermination(stop: () => void): () => void {
  const source = signalSource();
  if (source === undefined) return () => {};
  const remove = (): void => {
    for (const name of SIGNALS) source.removeListener(name, listener);
  };
  const listener = (): void => {
    remove();
    stop();
  };
  for (const name of SIGNALS) source.once(name, listener);
  return remove;
}

function signalSource(): SignalSource | undefined {
  const candidate: unknown = Reflect.get(globalThis, 'process');
  return isSignalSource(candidate) ? candidate : undefined;
}

function isSignalSource(value: unknown): value is SignalSource {
  return (
    typeof value === 'object' &&
    value !== null &&
    'once' in value &&
    typeof value.once === 'function' &&
    'removeListener' in value &&
    typeof value.removeListener === 'function'
  );
}
