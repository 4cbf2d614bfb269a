/** Data of one page: fetched when the page opens, and again when asked. */
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from './notices.ts';
import { endedBy } from './session.ts';

export interface Resource<Value> {
  readonly value: Value | null;
  readonly error: string | null;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** @param key Fetches anew when it changes. */
export function useResource<Value>(key: string, fetchValue: () => Promise<Value>): Resource<Value> {
  const [state, setState] = useState<{ value: Value | null; error: string | null; loading: boolean }>({
    value: null,
    error: null,
    loading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    setState((before) => ({ ...before, loading: true }));
    fetchValue().then(
      (value) => {
        if (current) setState({ value, error: null, loading: false });
      },
      (error: unknown) => {
        if (!current || endedBy(error)) return;
        setState((before) => ({ ...before, error: reasonOf(error), loading: false }));
      },
    );
    return () => {
      current = false;
    };
  }, [key, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
