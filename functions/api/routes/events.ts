/** What has happened: on a board, and to a card. */
import { ListCardEventsQuery, ListEventsQuery } from '../../../shared/schemas/events.ts';
import { listCardEvents } from '../../../shared/verbs/list-card-events.ts';
import { listEvents } from '../../../shared/verbs/list-events.ts';
import { route, type Route } from '../../http/route.ts';

export const eventRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/boards/{board}/events',
    scope: 'member',
    query: ListEventsQuery,
    verb: listEvents,
  }),
  route({
    method: 'GET',
    path: '/v1/cards/{card}/events',
    scope: 'worker',
    query: ListCardEventsQuery,
    verb: listCardEvents,
  }),
];
