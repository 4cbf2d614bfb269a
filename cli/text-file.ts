/** Files that commands read: what is in the way is said with the file's name. */
import { readFile } from 'node:fs/promises';
import { isRecord } from './text.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError for a file that cannot be read. */
export async function readTextFile(file: string, hint = ''): Promise<string> {
  return readFile(file, 'utf8').then(withoutMark, (error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.${hint === '' ? '' : ` ${hint}`}`);
  });
}

/** Null for a file that is not there; one that may not be read is a mistake, not an absence. */
export async function readTextIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(withoutMark, (error: unknown) => {
    if (isAbsence(error)) return null;
    throw new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
  });
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Such as `EACCES: permission denied`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split(',')[0] ?? '') : String(error);
}

/** Undefined for a text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object whose values are all texts. */
export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}

/** Some editors and shells begin a file with a byte order mark, which no parser takes. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
