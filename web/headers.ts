/**
 * What a browser is told with every file of the board. Nothing is loaded from elsewhere, nothing inline is run, and
 * no page may frame it: the text on cards is written by agents, and is not to be trusted.
 */

/** @param others Origins that a page may call besides its own: of the files of cards, and of who signs people in. */
export function contentSecurityPolicy(others: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...others].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;
