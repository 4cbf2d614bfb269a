/**
 * Checks what an identity provider has signed: the part of OpenID Connect that is cryptography, left to a library.
 * A module of its own, loaded by the first person who comes, so that no worker's cold start runs it.
 */
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';

/** Algorithms with two keys only: with a shared secret, whoever can check a token could make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Clocks of two machines may differ by so much. */
const CLOCK_TOLERANCE_SECONDS = 30;
const FETCH_TIMEOUT_MS = 3_000;

export type Keys = JWTVerifyGetKey;

export interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

export type Verified = { readonly payload: JWTPayload } | { readonly refused: string };

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** The issuer's keys, by its discovery document. They are fetched when needed, and again when one is unknown. */
export async function discoverKeys(issuer: string): Promise<Keys> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const found = Discovery.parse(await response.json());
  if (found.issuer !== issuer) throw new Error(`${address} speaks for another issuer: ${found.issuer}`);
  return createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: FETCH_TIMEOUT_MS });
}

/**
 * What the token says, or the code of why it says nothing to us.
 *
 * @param now Milliseconds since the epoch.
 * @throws Error when the issuer's keys cannot be had, which is no fault of the token.
 */
export async function verifyJwt(jwt: string, keys: Keys, expected: Expected, now: number): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(jwt, keys, {
      ...expected,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    });
    return isNamed(payload) ? { payload } : { refused: errors.JWTClaimValidationFailed.code };
  } catch (error) {
    if (!(error instanceof errors.JOSEError) || OF_THE_ISSUER.has(error.code)) throw error;
    return { refused: error.code };
  }
}

/** What the library does not look at: that the subject is a text, and some text. */
function isNamed({ sub }: JWTPayload): boolean {
  return typeof sub === 'string' && sub !== '';
}

/** Its keys did not come, or came as something else: a plain `JOSEError` is an answer other than 200. */
const OF_THE_ISSUER = new Set([errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]);
