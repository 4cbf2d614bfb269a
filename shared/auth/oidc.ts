/**
 * People by OpenID Connect: any issuer that publishes its keys. What it signs for our audience says who someone is
 * and in which groups; the groups say which scope.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../engine.ts';
import { problem } from '../errors.ts';
import { SCOPES, type Scope } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import { cut } from '../text.ts';
import { SECOND_MS } from '../units.ts';
import type { People } from './people.ts';
import type { Keys } from './verify-jwt.ts';

/** How long an issuer that did not answer is left alone. */
const REST_MS = 5_000;
/** Hexadecimal digits of the hash that stands for a person. */
const ID_DIGITS = 40;

export const OidcSettings = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }),
  audience: z.string().min(1),
  /** Claim that lists a person's groups. */
  groups_claim: z.string().min(1),
  group_scopes: z.record(z.string(), z.enum(SCOPES)),
});
export type OidcSettings = z.infer<typeof OidcSettings>;

type Claims = Readonly<Record<string, unknown>>;

/** @param text The settings as JSON; `none` for an installation without people. */
export function peopleOf(text: string): People | null {
  return text === 'none' ? null : oidcPeople(OidcSettings.parse(JSON.parse(text)));
}

export function oidcPeople(settings: OidcSettings): People {
  const { issuer, audience } = settings;
  const keysAt = askedSparingly(issuer);
  return {
    callerOf: async (jwt, now) => {
      const { verifyJwt } = await import('./verify-jwt.ts');
      const checked = await keysAt(now)
        .then(async (keys) => verifyJwt(jwt, keys, { issuer, audience }, now))
        .catch((error: unknown) => {
          throw unreachable(issuer, error);
        });
      if ('refused' in checked) throw refusal(settings, checked.refused);
      return callerFrom(settings, checked.payload);
    },
  };
}

/**
 * The issuer's keys. One that does not answer is asked again only after a while: until then nobody could be let in,
 * and every request that waits for it holds an execution.
 */
function askedSparingly(issuer: string): (now: number) => Promise<Keys> {
  let keys: Promise<Keys> | undefined;
  let restsUntil = Infinity;
  return async (now) => {
    if (now >= restsUntil) keys = undefined;
    if (keys !== undefined) return keys;
    restsUntil = Infinity;
    keys = import('./verify-jwt.ts').then(async ({ discoverKeys }) => discoverKeys(issuer));
    return keys.catch((error: unknown) => {
      restsUntil = now + REST_MS;
      throw error;
    });
  };
}

function unreachable(issuer: string, cause: unknown): Error {
  const detail = `Identity tokens cannot be checked, since ${issuer} does not answer as it should. Try again shortly.`;
  const refused = problem('throttled', detail, { retry_after_seconds: REST_MS / SECOND_MS });
  refused.cause = cause;
  return refused;
}

function refusal({ issuer, audience }: OidcSettings, code: string) {
  return problem(
    'unauthenticated',
    `The identity token was refused (${code}). Sign in again; it must be issued by ${issuer} for ${audience}.`,
  );
}

function callerFrom(settings: OidcSettings, claims: Claims): Caller {
  const scope = widestScope(settings, claims);
  if (scope === null) {
    throw problem(
      'forbidden',
      `None of your groups has a scope here. Ask for one of: ${Object.keys(settings.group_scopes).join(', ')}.`,
    );
  }
  return {
    tokenId: personId(settings.issuer, String(claims['sub'])),
    tokenName: cut(nameIn(claims), LIMITS.actorBytes),
    scopes: [scope],
    boardId: null,
    agent: null,
  };
}

function widestScope({ groups_claim, group_scopes }: OidcSettings, claims: Claims): Scope | null {
  const groups = z.array(z.string()).safeParse(claims[groups_claim]).data ?? [];
  const held = groups.flatMap((group) => (Object.hasOwn(group_scopes, group) ? [group_scopes[group]] : []));
  return SCOPES.toReversed().find((scope) => held.includes(scope)) ?? null;
}

/** Subjects are unique within their issuer only. */
function personId(issuer: string, subject: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  return `person${digest.slice(0, ID_DIGITS)}`;
}

/** An address that the provider has not checked is what the person typed, and might be a colleague's. */
function nameIn(claims: Claims): string {
  const checked = claims['email_verified'];
  const isUnchecked = checked === false || checked === 'false';
  const names = [...(isUnchecked ? [] : ['email']), 'preferred_username', 'name', 'sub'];
  return names
    .map((claim) => claims[claim])
    .find((name) => typeof name === 'string' && name !== '') as string;
}
