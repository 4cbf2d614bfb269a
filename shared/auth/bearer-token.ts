/** The form of an API token, `lb_<id>_<secret>`, and the hash that is kept in place of its secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

const TOKEN = /^lb_([A-Za-z0-9]{1,64})_([A-Za-z0-9_-]{32,128})$/;
/** RFC 9110: the scheme in any case, then at least one space. */
const BEARER = /^bearer +(\S+) *$/i;

export interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

/** Id and secret of a token; null for any other string. */
export function parseToken(text: string): TokenParts | null {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** The token of an `Authorization` header; null when the header is missing, of another scheme or no token. */
export function parseBearer(authorization: string | undefined): TokenParts | null {
  const [, token] = BEARER.exec(authorization ?? '') ?? [];
  return token === undefined ? null : parseToken(token);
}

/** SHA-256 of a token's secret, base64url: all that is stored of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares in constant time, so that no answer's timing tells how much of a guess was right. */
export function secretMatches(secret: string, hash: string): boolean {
  const given = Buffer.from(hashSecret(secret));
  const kept = Buffer.from(hash);
  return given.length === kept.length && timingSafeEqual(given, kept);
}
