/** People of an identity provider, as the engine knows them: by a token that the provider has signed (JWT). */
import type { Caller } from '../engine.ts';

export interface People {
  /**
   * @param now Milliseconds since the epoch.
   * @throws Problem `unauthenticated` for a token that is not the provider's, not for us, or over; `forbidden` for a
   * person in no group that has a scope here.
   */
  readonly callerOf: (jwt: string, now: number) => Promise<Caller>;
}

/** Three parts of base64url with dots between; an API token has no dot. */
const BEARER_JWT = /^bearer +([\w-]{1,16384}\.[\w-]{1,16384}\.[\w-]{1,16384}) *$/i;

/** The JWT of an `Authorization` header; null when it holds none. */
export function parseJwt(authorization: string | undefined): string | null {
  return BEARER_JWT.exec(authorization ?? '')?.[1] ?? null;
}
