/** Many linked cards at once, and what of a board may be taken right now. */
import { CreateGraphBody, CreateSwarmBody, DecomposeCardBody } from '../../../shared/schemas/graphs.ts';
import { FrontierQuery } from '../../../shared/schemas/frontier.ts';
import { createGraph } from '../../../shared/verbs/create-graph.ts';
import { createSwarm } from '../../../shared/verbs/create-swarm.ts';
import { decomposeCard } from '../../../shared/verbs/decompose-card.ts';
import { getFrontier } from '../../../shared/verbs/get-frontier.ts';
import { repeatableRoute, route, type Route } from '../../http/route.ts';

const GRAPHS = '/v1/boards/{board}/graphs';
const post = { method: 'POST', scope: 'worker' } as const;

export const graphRoutes: readonly Route[] = [
  repeatableRoute({
    ...post,
    path: GRAPHS,
    body: CreateGraphBody,
    status: 201,
    traced: true,
    verb: createGraph,
  }),
  repeatableRoute({
    ...post,
    path: `${GRAPHS}:swarm`,
    body: CreateSwarmBody,
    status: 201,
    traced: true,
    verb: createSwarm,
  }),
  // A worker may break down the card that it holds; the verb asks whether it does.
  repeatableRoute({
    ...post,
    path: '/v1/cards/{card}:decompose',
    body: DecomposeCardBody,
    traced: true,
    verb: decomposeCard,
  }),
  route({
    method: 'GET',
    path: '/v1/boards/{board}/frontier',
    scope: 'worker',
    query: FrontierQuery,
    verb: getFrontier,
  }),
];
