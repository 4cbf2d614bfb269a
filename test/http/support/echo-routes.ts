/** Routes that show what the HTTP layer hands to a verb, for tests of that layer alone. */
import * as z from 'zod';
import { repeatableRoute, route, type Route } from '../../../functions/http/route.ts';
import { AgentName } from '../../../shared/schemas/claims.ts';
import type { Caller, Engine } from '../../../shared/engine.ts';

const Body = z.strictObject({
  lease_token: z.string().optional(),
  agent: AgentName.optional(),
  free: z.unknown().optional(),
  tags: z.array(z.string()).optional(),
  one_of: z
    .union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string(), size: z.number() })])
    .optional(),
});

const Query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  hard: z.enum(['true', 'false']).optional(),
});

const echo = async (_engine: Engine, caller: Caller, input: object) => ({ input, agent: caller.agent });

/** @param fail What the verb of `POST /v1/fail` throws. */
export function echoRoutes(fail: () => unknown = () => new Error('no failure was asked for')): Route[] {
  return [
    route({ method: 'GET', path: '/v1/echoes/{echo}', scope: 'worker', query: Query, verb: echo }),
    route({
      method: 'PATCH',
      path: '/v1/echoes/{echo}',
      scope: 'worker',
      body: Body,
      ifMatch: true,
      verb: echo,
    }),
    route({
      method: 'POST',
      path: '/v1/echoes/{echo}:say',
      scope: 'worker',
      body: Body,
      namesAgent: true,
      verb: echo,
    }),
    repeatableRoute({
      method: 'POST',
      path: '/v1/echoes',
      scope: 'worker',
      body: Body,
      status: 201,
      verb: async (_engine, _caller, input, repeat) => ({
        value: { input, repeat },
        created: input.free !== 'known',
        replayed: input.free === 'known',
      }),
    }),
    route({
      method: 'POST',
      path: '/v1/fail',
      scope: 'worker',
      verb: async () => {
        throw fail();
      },
    }),
  ];
}
