/** NDJSON, a JSON text a line: what a list's answer is as a file, and what a request of rows may be sent as. */
import { problem } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-schema/json.ts';
import { mustStay, parseText } from './parse-json.ts';
import type { HttpRequest } from './read-request.ts';

export const NDJSON = 'application/x-ndjson';
const TYPE = /^\s*application\/(x-)?ndjson\s*(;|$)/i;
const NEWLINE = 0x0a;

export const isNdjson = (request: HttpRequest): boolean => TYPE.test(request.header('content-type') ?? '');
/** As clients name it who want it: by name, in their first choices. */
export const wantsNdjson = (request: HttpRequest): boolean =>
  (request.header('accept') ?? '').split(',').some((type) => TYPE.test(type));

/**
 * The lines as a body's `rows`; empty ones are none.
 *
 * @throws Problem `malformed_json` naming the line, before anything is done.
 */
export function parseRows(bytes: Buffer): { rows: unknown[] } {
  const rows: unknown[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    const text = bytes.subarray(start, end);
    if (text.some((byte) => byte > 0x20)) rows.push(parseLine(text, line));
    start = end + 1;
  }
  return mustStay({ rows });
}

function parseLine(text: Buffer, line: number): unknown {
  const value = parseText(text, `Line ${line} of the body`);
  if (isObject(value)) return value;
  throw problem('malformed_json', `Line ${line} of the body is no JSON object.`);
}

/** The items of a page, and last where the next one begins. */
export function pageLines(value: unknown): string {
  const { items, next_cursor } = value as { items: readonly unknown[]; next_cursor: string | null };
  return [...items, { type: 'page', next_cursor }].map((row) => `${JSON.stringify(row)}\n`).join('');
}
