/**
 * Cutting a context to size: each text by its own bound, each section by its share of the whole, the newest kept.
 * Whatever is cut is said, so that nobody takes a part for the whole.
 */
import { bytesOf, cut, jsonBytes } from '../text.ts';

/** What was cut, in words. */
export class Cuts {
  readonly said: string[] = [];

  /** The text, cut where it is longer than `bytes`. */
  text(what: string, text: string, bytes: number): string {
    if (bytesOf(text) <= bytes) return text;
    this.said.push(`${what}: the first ${bytes} of ${bytesOf(text)} bytes`);
    return cut(text, bytes);
  }

  textOrNull(what: string, text: string | null | undefined, bytes: number): string | null {
    return text === null || text === undefined ? null : this.text(what, text, bytes);
  }

  /** Users' JSON, whole or not at all: half of it would be none. */
  json(what: string, value: unknown, bytes: number): unknown {
    const size = jsonBytes(value ?? null);
    if (size <= bytes) return value ?? null;
    this.said.push(`${what}: left out, ${size} bytes`);
    return null;
  }

  /**
   * As many of the newest as fit into `bytes`, answered oldest first.
   *
   * @param newestFirst What was read.
   * @param total How many there are, of which perhaps not all were read.
   */
  newest<Entry>(what: string, newestFirst: readonly Entry[], total: number, bytes: number): Entry[] {
    const kept: Entry[] = [];
    let used = 0;
    for (const entry of newestFirst) {
      used += jsonBytes(entry);
      if (used > bytes) break;
      kept.push(entry);
    }
    const left = total - kept.length;
    if (left > 0) this.said.push(`${what}: ${left} older of ${total} left out`);
    return kept.toReversed();
  }
}
