/** THE table of tools, in the order in which they are listed: the worker's loop first. */
import { describedRoutes } from '../api/routes.ts';
import { claimRoutes } from '../claim/routes.ts';
import { leaseRoutes } from '../lease/routes.ts';
import { toolOf, type Tool } from './tool.ts';
import { aroundTools } from './tools/around.ts';
import { boardTools } from './tools/boards.ts';
import { cardVerbTools } from './tools/card-verbs.ts';
import { cardTools } from './tools/cards.ts';
import { workerTools } from './tools/worker.ts';

const routes = [...claimRoutes, ...leaseRoutes, ...describedRoutes];

export const TOOLS: readonly Tool[] = [
  ...workerTools,
  ...cardTools,
  ...aroundTools,
  ...boardTools,
  ...cardVerbTools,
].map((row) => toolOf(row, routes));
