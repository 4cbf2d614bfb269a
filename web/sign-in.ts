/**
 * What a browser is told of the identity provider before anybody is signed in; nothing in it is secret. It lies beside
 * the page, so that one build serves every installation.
 */

export const CONFIG_PATH = '/config.json';

/** Where people sign in, and what the page asks for. */
export interface SignIn {
  /** Stands on the button: "Sign in with …". */
  readonly provider: string;
  readonly issuer: string;
  /** Audience of the identity tokens that the API takes. */
  readonly client_id: string;
  readonly scopes: readonly string[];
  /** Where a code becomes a token, when that is another origin than the issuer's. */
  readonly token_origin: string | null;
}

export interface WebConfig {
  /** Null: with tokens of the API only. */
  readonly sign_in: SignIn | null;
}

/** Enough for a name; a provider that tells groups only when asked needs its own word for it. */
export const DEFAULT_SCOPES: readonly string[] = ['openid', 'profile', 'email'];
