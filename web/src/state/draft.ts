/**
 * What a person has begun to write, kept for this tab until it is sent or dropped: a session that ends, or a page that
 * is loaded again, must not cost them the text.
 */
import { useState } from 'preact/hooks';
import { perTab, readStored, storedKeys, writeStored } from './storage.ts';

const PREFIX = 'leaseboard.draft ';

export interface Draft<Value> {
  readonly value: Value;
  readonly set: (value: Value) => void;
  /** Forgets it: it was sent, or the person thought better. What is shown is the component's to say. */
  readonly drop: () => void;
}

/** @param name What is written: the place and the card, say. */
export function useDraft<Value>(name: string, initial: () => Value): Draft<Value> {
  const key = PREFIX + name;
  const [value, setValue] = useState<Value>(() => {
    const kept = readStored(perTab, key);
    return kept === null ? initial() : (JSON.parse(kept) as Value);
  });
  return {
    value,
    set: (next) => {
      setValue(next);
      writeStored(perTab, key, JSON.stringify(next));
    },
    drop: () => writeStored(perTab, key, null),
  };
}

/** Whoever signs out leaves nothing behind for the next person. */
export function dropDrafts(): void {
  for (const key of storedKeys(perTab)) if (key.startsWith(PREFIX)) writeStored(perTab, key, null);
}
