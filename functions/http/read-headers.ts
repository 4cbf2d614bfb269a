/** Headers that say something to a verb: the session's name, a precondition, the key of a repeat. */
import { createHash } from 'node:crypto';
import { problem, type FieldFault } from '../../shared/errors.ts';
import { canonicalText } from '../../shared/json-schema/json.ts';
import { AgentName } from '../../shared/schemas/claims.ts';
import type { Repeatable } from '../../shared/idempotency.ts';
import type { Preconditions } from './route.ts';
import type { HttpRequest } from './read-request.ts';
import { refusedInput } from '../../shared/schemas/parse-input.ts';

/** 1-255 printable characters of ASCII. */
export const BARE_KEY = /^[\x20-\x7e]{1,255}$/;
/** A string of structured fields (RFC 9651): quoted, with `\"` and `\\` escaped. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
/** The tag that a card's `rev` makes; a proxy that compresses may have weakened it. */
const CARD_TAG = /^(?:W\/)?"(\d{1,15})"$/;

/** Headers are named in errors as fields of the body are. */
const faulty = (header: string, message: string): FieldFault => ({ path: `/${header}`, message });

/** The agent that the request names; null when it names none. */
export function readAgent(request: HttpRequest): string | null {
  const name = request.header('x-agent');
  if (name === undefined) return null;
  const parsed = AgentName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw refusedInput([faulty('X-Agent', parsed.error.issues[0]?.message ?? '')]);
}

/**
 * @throws Problem `stale_revision` for a tag that no card ever had, `validation_failed` for several tags.
 */
export function readPreconditions(request: HttpRequest): Preconditions {
  const tag = request.header('if-match')?.trim();
  if (tag === undefined || tag === '*') return {};
  if (tag.includes(',')) throw refusedInput([faulty('If-Match', 'must be one ETag')]);
  const [, rev] = CARD_TAG.exec(tag) ?? [];
  if (rev !== undefined) return { if_match: Number(rev) };
  throw problem('stale_revision', 'If-Match is no ETag that a card was answered with. Read the card again.');
}

/**
 * What makes this request repeatable; null without an `Idempotency-Key`.
 *
 * @param path The canonical path, so that a verb's two spellings are one request.
 * @param body The whole body as parsed.
 */
export function readRepeatable(request: HttpRequest, path: string, body: unknown): Repeatable | null {
  const header = request.header('idempotency-key')?.trim();
  if (header === undefined) return null;
  const key = QUOTED.exec(header)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? header;
  if (!BARE_KEY.test(key)) {
    throw refusedInput([faulty('Idempotency-Key', 'must be 1-255 printable characters, quoted or bare')]);
  }
  return repeatable(key, `${request.method} ${path}`, body);
}

/** @param body The order of its names does not matter. */
export function repeatable(key: string, route: string, body: unknown): Repeatable {
  const fingerprint = createHash('sha256')
    .update(canonicalText(body, () => undefined))
    .digest('base64url');
  return { key, route, fingerprint };
}
