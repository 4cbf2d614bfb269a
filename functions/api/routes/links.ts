/** What blocks a card, and what it blocks. */
import { LinkCardsBody, UnlinkCardsQuery } from '../../../shared/schemas/links.ts';
import { linkCards } from '../../../shared/verbs/link-cards.ts';
import { listLinks } from '../../../shared/verbs/list-links.ts';
import { unlinkCards } from '../../../shared/verbs/unlink-cards.ts';
import { repeatableRoute, route, type Route } from '../../http/route.ts';

const LINKS = '/v1/cards/{card}/links';

export const linkRoutes: readonly Route[] = [
  // A worker may link the card that it holds; the verb asks whether it does.
  repeatableRoute({
    method: 'POST',
    path: LINKS,
    scope: 'worker',
    body: LinkCardsBody,
    status: 201,
    verb: linkCards,
  }),
  route({ method: 'GET', path: LINKS, scope: 'worker', verb: listLinks }),
  route({
    method: 'DELETE',
    path: LINKS,
    scope: 'member',
    query: UnlinkCardsQuery,
    status: 204,
    verb: unlinkCards,
  }),
];
