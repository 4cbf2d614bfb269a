/** THE route table: what each function serves, joined. Documentation and tests go by it. */
import { boardRoutes } from '../api/routes/boards.ts';
import { cardVerbRoutes } from '../api/routes/card-verbs.ts';
import { cardRoutes } from '../api/routes/cards.ts';
import { columnRoutes } from '../api/routes/columns.ts';
import { eventRoutes } from '../api/routes/events.ts';
import { leaseReadRoutes } from '../api/routes/leases.ts';
import { systemRoutes } from '../api/routes/system.ts';
import { tokenRoutes } from '../api/routes/tokens.ts';
import { claimRoutes } from '../claim/routes.ts';
import { leaseRoutes } from '../lease/routes.ts';
import { openApiRoute } from './openapi-route.ts';
import type { Address, OpenRoute, Route } from './route.ts';

const documented: readonly (Route | OpenRoute)[] = [
  ...systemRoutes,
  ...boardRoutes,
  ...columnRoutes,
  ...leaseReadRoutes,
  ...cardRoutes,
  ...cardVerbRoutes,
  ...eventRoutes,
  ...tokenRoutes,
];

/** What the function `api` serves: everything that has no function of its own. */
export const apiRoutes: readonly (Route | OpenRoute)[] = [...documented, openApiRoute(() => allRoutes)];

/** Served elsewhere, though other methods at the same addresses come to `api`. */
export const besideApiRoutes: readonly Address[] = [...claimRoutes, ...leaseRoutes];

export const allRoutes: readonly (Route | OpenRoute)[] = [...apiRoutes, ...claimRoutes, ...leaseRoutes];
