/** Events from the newest back, a page at a time, as far as somebody wants to look. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BoardEvent } from '../../../client/types.ts';
import { reasonOf } from './notices.ts';
import { endedBy } from './session.ts';

export interface Stretch {
  readonly items: readonly BoardEvent[];
  /** Where older ones begin; null when these are the oldest that are kept. */
  readonly next: string | null;
}

export type ReadBack = (from: string | null) => Promise<Stretch>;

export interface Timeline {
  /** The newest first, without a gap; null until the first page is there. */
  readonly events: readonly BoardEvent[] | null;
  readonly whole: boolean;
  readonly busy: boolean;
  readonly error: string | null;
  /** Reads on until there is one that is wanted, and not for ever. Answers how many came. */
  readonly older: (wanted: (event: BoardEvent) => boolean) => Promise<number>;
  /** What the live feed tells. */
  readonly absorb: (news: readonly BoardEvent[]) => void;
  readonly reload: () => void;
}

/** Pages for one click, when hardly any event is of the wanted kind. */
const MOST_PAGES = 5;

/** @param key The newest page is read again when it changes; what was read before stays below it. */
export function useTimeline(key: string, read: ReadBack): Timeline {
  const [state, setState] = useState<Stretch | null>(null);
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const open = useRef(true);
  const latest = useRef<Stretch | null>(null);
  const put = (next: Stretch): void => {
    latest.current = next;
    if (open.current) setState(next);
  };
  const guarded = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await act();
      setError(null);
    } catch (failure) {
      if (!endedBy(failure)) setError(reasonOf(failure));
    } finally {
      if (open.current) setBusy(false);
    }
  };
  useEffect(() => {
    void guarded(async () => put(joined(await read(null), latest.current)));
  }, [key, round]);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  const older: Timeline['older'] = async (wanted) => {
    let came = 0;
    await guarded(async () => {
      for (let page = 0; page < MOST_PAGES && came === 0 && open.current; page += 1) {
        const from = latest.current?.next ?? null;
        if (from === null) return;
        const stretch = await read(from);
        came += stretch.items.filter(wanted).length;
        put({ items: merged(latest.current?.items ?? [], stretch.items), next: stretch.next });
      }
    });
    return came;
  };
  const absorb: Timeline['absorb'] = (news) => {
    const known = latest.current;
    if (known === null) return;
    // Older ones may have others between them and what is shown.
    const oldest = known.items.at(-1)?.timestamp ?? '';
    const fresh = news.filter(({ timestamp }) => timestamp >= oldest);
    const items = merged(known.items, fresh);
    if (items.length > known.items.length) put({ ...known, items });
  };
  return {
    events: state?.items ?? null,
    whole: state?.next === null,
    busy,
    error,
    older,
    absorb,
    reload: () => setRound((before) => before + 1),
  };
}

/** The newest page on top of what was read before; in place of it when there may be others between them. */
function joined(newest: Stretch, before: Stretch | null): Stretch {
  const known = new Set(before?.items.map(({ id }) => id));
  const touches = newest.items.some(({ id }) => known.has(id));
  return before !== null && touches ? { ...before, items: merged(newest.items, before.items) } : newest;
}

function merged(one: readonly BoardEvent[], other: readonly BoardEvent[]): readonly BoardEvent[] {
  const byId = new Map([...one, ...other].map((event) => [event.id, event]));
  return [...byId.values()].toSorted(newestFirst);
}

function newestFirst(a: BoardEvent, b: BoardEvent): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1;
  return b.sequence - a.sequence;
}
