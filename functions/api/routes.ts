/** What the function `api` serves, without the document that describes it: the MCP server's tools are made of these too. */
import type { OpenRoute, Route } from '../http/route.ts';
import { attachmentRoutes } from './routes/attachments.ts';
import { boardRoutes } from './routes/boards.ts';
import { cardVerbRoutes } from './routes/card-verbs.ts';
import { cardRoutes } from './routes/cards.ts';
import { commentRoutes } from './routes/comments.ts';
import { columnRoutes } from './routes/columns.ts';
import { eventRoutes } from './routes/events.ts';
import { graphRoutes } from './routes/graphs.ts';
import { leaseReadRoutes } from './routes/leases.ts';
import { linkRoutes } from './routes/links.ts';
import { supervisionRoutes } from './routes/supervision.ts';
import { systemRoutes } from './routes/system.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const describedRoutes: readonly (Route | OpenRoute)[] = [
  ...systemRoutes,
  ...boardRoutes,
  ...supervisionRoutes,
  ...columnRoutes,
  ...leaseReadRoutes,
  ...cardRoutes,
  ...cardVerbRoutes,
  ...linkRoutes,
  ...graphRoutes,
  ...commentRoutes,
  ...attachmentRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...tokenRoutes,
];
