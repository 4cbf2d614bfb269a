/** The token that a request is sent with: one that stays, or a person's, which is renewed before it ends. */
import { LeaseboardError } from '../../../client/errors.ts';
import { serverNow } from './clock.ts';
import { claimsOf, Refused, renew, type Grant } from './oidc.ts';

export type TokenSource = () => Promise<string>;

/** Time enough for a request that is sent at the last moment; of a shorter life a fifth. */
const RENEW_BEFORE_MS = 60_000;
const PART_OF_LIFE = 0.2;

export function fixedToken(token: string): TokenSource {
  return async () => Promise.resolve(token);
}

/**
 * Renews only when something is to be sent: a hidden page asks nobody for anything. Without a refresh token the
 * token is sent until the server knows it no more.
 *
 * @param keep Is told of each new grant: the old one may be worthless from then on.
 */
export function renewedToken(first: Grant, keep: (grant: Grant) => void): TokenSource {
  let grant = first;
  let renewing: Promise<void> | null = null;
  const next = async (): Promise<void> => {
    grant = await renew(grant);
    keep(grant);
  };
  return async () => {
    if (grant.refresh_token === null || msLeft(grant) > renewBefore(grant)) return grant.id_token;
    // Requests that come together share one: a refresh token is good once.
    renewing ??= next().finally(() => {
      renewing = null;
    });
    try {
      await renewing;
    } catch (error) {
      if (error instanceof Refused) throw sessionOver(error);
      if (msLeft(grant) <= 0) throw error;
    }
    return grant.id_token;
  };
}

function sessionOver(cause: Refused): LeaseboardError {
  return new LeaseboardError({ code: 'unauthenticated', status: 401, message: cause.message, cause });
}

function msLeft(grant: Grant): number {
  return Number(claimsOf(grant.id_token)['exp']) * 1_000 - serverNow();
}

function renewBefore(grant: Grant): number {
  const { exp, iat } = claimsOf(grant.id_token);
  const life = (Number(exp) - Number(iat)) * 1_000;
  return Number.isFinite(life) ? Math.min(RENEW_BEFORE_MS, life * PART_OF_LIFE) : RENEW_BEFORE_MS;
}
