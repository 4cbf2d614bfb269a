/** Text measured and cut in bytes of UTF-8, as the table counts it. */

export const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');
export const jsonBytes = (value: unknown): number => bytesOf(JSON.stringify(value) ?? '');

/** The longest start of `text` that fits; a character is never split. */
export function cut(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  const buffer = Buffer.from(text).subarray(0, bytes);
  return new TextDecoder().decode(buffer, { stream: true });
}
