/** Cards. */
import { ClaimCardBody } from '../../../shared/schemas/claims.ts';
import { claimCard } from '../../../shared/verbs/claim-card.ts';
import { repeatableRoute, type Route } from '../../http/route.ts';

const CARD = '/v1/cards/{card}';

export const cardRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: `${CARD}:claim`,
    scope: 'worker',
    body: ClaimCardBody,
    namesAgent: true,
    verb: claimCard,
  }),
];
