/** People of the identity provider that a function's environment names: apart, for the functions that answer them. */
import { peopleOf } from '../shared/auth/oidc.ts';
import type { People } from '../shared/auth/people.ts';
import { readEnv } from '../shared/env.ts';

export function peopleFromEnv(): People | null {
  return peopleOf(readEnv('OIDC'));
}
