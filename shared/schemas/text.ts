/** Building blocks of the request schemas: text and JSON bounded in bytes of UTF-8. */
import * as z from 'zod';
import { bytesOf, jsonBytes } from '../text.ts';

/** Text of at most `maxBytes`, and of at least `minCharacters` where it may not be empty. */
export function utf8(maxBytes: number, minCharacters = 0) {
  return z
    .string()
    .min(minCharacters)
    .refine((text) => text.isWellFormed(), { message: 'must be well-formed Unicode' })
    .refine((text) => bytesOf(text) <= maxBytes, { message: `must be at most ${maxBytes} bytes of UTF-8` });
}

const ID_MAX = 64;

/** An id as a body names it: whether it exists is the verb's to say. */
export const idText = z.string().min(1).max(ID_MAX);

const JSON_DEPTH_MAX = 32;

function depthWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => depthWithin(part, depth - 1));
}

const tooDeep = { message: `must not nest deeper than ${JSON_DEPTH_MAX} levels` };
const tooLarge = (maxBytes: number) => ({ message: `must be at most ${maxBytes} bytes of JSON` });

/** Any JSON value of at most `maxBytes` when written out; deeper than DynamoDB nests is refused here. */
export function jsonValue(maxBytes: number) {
  return z
    .unknown()
    .refine((value) => depthWithin(value, JSON_DEPTH_MAX - 2), tooDeep)
    .refine((value) => value === undefined || jsonBytes(value) <= maxBytes, tooLarge(maxBytes));
}

/** A JSON object of at most `maxBytes` when written out. */
export function jsonRecord(maxBytes: number) {
  return z
    .record(z.string(), z.unknown())
    .refine((value) => depthWithin(value, JSON_DEPTH_MAX - 2), tooDeep)
    .refine((value) => jsonBytes(value) <= maxBytes, tooLarge(maxBytes));
}
