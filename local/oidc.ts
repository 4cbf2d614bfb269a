/** The identity provider of `npm start --oidc FILE`: whom the API takes for a person, and where the board sends them. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { OidcSettings } from '../shared/auth/oidc.ts';
import { DEFAULT_SCOPES, type SignIn } from '../web/sign-in.ts';
import { UserError } from './user-error.ts';

const DEFAULT_GROUPS_CLAIM = 'groups';

/** What the API is told, and beside it what only the board needs. */
const OidcFile = OidcSettings.extend({
  groups_claim: OidcSettings.shape.groups_claim.default(DEFAULT_GROUPS_CLAIM),
  provider: z.string().min(1).max(60).optional(),
  scopes: z.array(z.string().min(1)).default([...DEFAULT_SCOPES]),
  token_origin: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
});

export interface LocalOidc {
  readonly settings: OidcSettings;
  readonly signIn: SignIn;
}

/** @throws UserError (exit code 2) that names the file and what is wrong in it. */
export function readOidcFile(path: string): LocalOidc {
  const parsed = OidcFile.safeParse(readJson(path));
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path: at, message }) => `${at.join('.') || 'the file'}: ${message}`,
    );
    throw refused(path, faults.join('; '));
  }
  const { provider, scopes, token_origin, ...settings } = parsed.data;
  const { issuer, audience } = settings;
  return {
    settings,
    signIn: {
      provider: provider ?? new URL(issuer).host,
      issuer,
      client_id: audience,
      scopes,
      token_origin: token_origin === null ? null : new URL(token_origin).origin,
    },
  };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw refused(path, error instanceof Error ? error.message : String(error));
  }
}

function refused(path: string, why: string): UserError {
  return new UserError(
    `--oidc: ${path} is not to be used (${why}). It holds JSON with issuer, audience and group_scopes.`,
    2,
  );
}
