/** API tokens and registered roles. None of these may be repeated under a key: the answer that shows a token is given once. */
import {
  CreateTokenBody,
  ListTokensQuery,
  RegisterRoleBody,
  RotateTokenBody,
} from '../../../shared/schemas/tokens.ts';
import { createToken } from '../../../shared/verbs/create-token.ts';
import { listTokens } from '../../../shared/verbs/list-tokens.ts';
import { registerRole } from '../../../shared/verbs/register-role.ts';
import { revokeToken } from '../../../shared/verbs/revoke-token.ts';
import { rotateToken } from '../../../shared/verbs/rotate-token.ts';
import { route, type Route } from '../../http/route.ts';

export const tokenRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/tokens',
    scope: 'admin',
    body: CreateTokenBody,
    status: 201,
    verb: createToken,
  }),
  route({ method: 'GET', path: '/v1/tokens', scope: 'admin', query: ListTokensQuery, verb: listTokens }),
  route({ method: 'DELETE', path: '/v1/tokens/{token_id}', scope: 'admin', status: 204, verb: revokeToken }),
  route({
    method: 'POST',
    path: '/v1/tokens/{token_id}:rotate',
    scope: 'admin',
    body: RotateTokenBody,
    verb: rotateToken,
  }),
  route({
    method: 'POST',
    path: '/v1/roles',
    scope: 'admin',
    body: RegisterRoleBody,
    status: 201,
    verb: registerRole,
  }),
];
