/** A checkpoint on the wire is text. Text goes as it is; any other state as JSON, and comes back as it was. */

/** Throws TypeError for what JSON cannot hold. */
export function encodeCheckpoint(state: unknown): string {
  const text = typeof state === 'string' ? state : JSON.stringify(state);
  if (text === undefined) throw new TypeError('A checkpoint is text or something that JSON can hold');
  return text;
}

/** Objects and arrays are parsed; text that an agent wrote in words stays text. */
export function decodeCheckpoint(text: string | null): unknown {
  if (text === null || !/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
