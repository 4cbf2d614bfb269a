/** Cards as a resource: made, read, changed and deleted, one by one and many at once. */
import {
  BulkCardsBody,
  CreateCardBody,
  CreateCardsBody,
  DeleteCardQuery,
  ListCardsQuery,
  PatchCardBody,
} from '../../../shared/schemas/cards.ts';
import { bulkCards } from '../../../shared/verbs/bulk-cards.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { createCards } from '../../../shared/verbs/create-cards.ts';
import { deleteCard } from '../../../shared/verbs/delete-card.ts';
import { getCard } from '../../../shared/verbs/get-card.ts';
import { getContext } from '../../../shared/verbs/get-context.ts';
import { listCards } from '../../../shared/verbs/list-cards.ts';
import { patchCard } from '../../../shared/verbs/patch-card.ts';
import { repeatableRoute, route, type Route } from '../../http/route.ts';

const CARDS = '/v1/boards/{board}/cards';
const CARD = '/v1/cards/{card}';

export const cardRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: CARDS,
    scope: 'worker',
    body: CreateCardBody,
    status: 201,
    traced: true,
    verb: createCard,
  }),
  repeatableRoute({
    method: 'POST',
    path: `${CARDS}:batch`,
    scope: 'worker',
    body: CreateCardsBody,
    traced: true,
    verb: createCards,
  }),
  route({ method: 'POST', path: `${CARDS}:bulk`, scope: 'member', body: BulkCardsBody, verb: bulkCards }),
  route({ method: 'GET', path: CARDS, scope: 'worker', query: ListCardsQuery, verb: listCards }),
  route({ method: 'GET', path: CARD, scope: 'worker', verb: getCard }),
  route({ method: 'GET', path: `${CARD}/context`, scope: 'worker', verb: getContext }),
  // A worker may change the card that it holds; the verb asks whether it does.
  route({
    method: 'PATCH',
    path: CARD,
    scope: 'worker',
    body: PatchCardBody,
    ifMatch: true,
    verb: patchCard,
  }),
  route({
    method: 'DELETE',
    path: CARD,
    scope: 'member',
    query: DeleteCardQuery,
    status: 204,
    verb: deleteCard,
  }),
];
