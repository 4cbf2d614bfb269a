/** What is kept in the browser. Storage may be forbidden or full; the board then works, and forgets. */

export function readStored(area: () => Storage, key: string): string | null {
  try {
    return area().getItem(key);
  } catch {
    return null;
  }
}

export function storedKeys(area: () => Storage): readonly string[] {
  try {
    return Object.keys(area());
  } catch {
    return [];
  }
}

export function writeStored(area: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) area().removeItem(key);
    else area().setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}

export const local = (): Storage => window.localStorage;
export const perTab = (): Storage => window.sessionStorage;
