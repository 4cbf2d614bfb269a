/** How much of a list an answer has room for: a function may answer 6 MB, and none must fail for being long. */
import { ANSWER_BYTES } from './policy.ts';
import { jsonBytes } from './text.ts';

/** Counts what an answer holds. The first entry always fits: it is the answer's whole reason. */
export class AnswerRoom {
  #bytes = 0;

  /** Notes one more entry, and tells whether it was let in. */
  takes(entry: unknown): boolean {
    const bytes = jsonBytes(entry);
    if (this.#bytes > 0 && this.#bytes + bytes > ANSWER_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }
}
