/** THE route table: what each function serves, joined. Documentation and tests go by it. */
import { describedRoutes } from '../api/routes.ts';
import { claimRoutes } from '../claim/routes.ts';
import { leaseRoutes } from '../lease/routes.ts';
import { openApiRoute } from './openapi-route.ts';
import type { Address, OpenRoute, Route } from './route.ts';

/** What the function `api` serves: everything that has no function of its own. */
export const apiRoutes: readonly (Route | OpenRoute)[] = [...describedRoutes, openApiRoute(() => allRoutes)];

/** Served elsewhere, though other methods at the same addresses come to `api`. */
export const besideApiRoutes: readonly Address[] = [...claimRoutes, ...leaseRoutes];

export const allRoutes: readonly (Route | OpenRoute)[] = [...apiRoutes, ...claimRoutes, ...leaseRoutes];
