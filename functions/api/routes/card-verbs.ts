/** What is done to one card by its id, with no lease of one's own. */
import { BlockCardBody } from '../../../shared/schemas/blocks.ts';
import {
  AssignCardBody,
  CompleteCardBody,
  ForceBody,
  MoveCardBody,
  ReasonBody,
  ReclaimCardBody,
  ReopenCardBody,
} from '../../../shared/schemas/cards.ts';
import { ClaimCardBody } from '../../../shared/schemas/claims.ts';
import { ReopenReviewBody } from '../../../shared/schemas/reviews.ts';
import { archiveCard } from '../../../shared/verbs/archive-card.ts';
import { assignCard } from '../../../shared/verbs/assign-card.ts';
import { blockCard } from '../../../shared/verbs/block-card.ts';
import { claimCard } from '../../../shared/verbs/claim-card.ts';
import { completeCard } from '../../../shared/verbs/complete-card.ts';
import { holdCard } from '../../../shared/verbs/hold-card.ts';
import { moveCard } from '../../../shared/verbs/move-card.ts';
import { promoteCard } from '../../../shared/verbs/promote-card.ts';
import { reclaimCard } from '../../../shared/verbs/reclaim-card.ts';
import { redriveCard } from '../../../shared/verbs/redrive-card.ts';
import { reopenCard } from '../../../shared/verbs/reopen-card.ts';
import { reopenReview } from '../../../shared/verbs/reopen-review.ts';
import { requestCancel } from '../../../shared/verbs/request-cancel.ts';
import { unarchiveCard } from '../../../shared/verbs/unarchive-card.ts';
import { unblockCard } from '../../../shared/verbs/unblock-card.ts';
import { unholdCard } from '../../../shared/verbs/unhold-card.ts';
import { NoFields, repeatableRoute, route, type Route } from '../../http/route.ts';

const CARD = '/v1/cards/{card}';
const post = { method: 'POST', scope: 'member' } as const;

export const cardVerbRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: `${CARD}:claim`,
    scope: 'worker',
    body: ClaimCardBody,
    namesAgent: true,
    verb: claimCard,
  }),
  route({ ...post, path: `${CARD}:move`, body: MoveCardBody, verb: moveCard }),
  route({ ...post, path: `${CARD}:assign`, body: AssignCardBody, verb: assignCard }),
  route({ ...post, path: `${CARD}:hold`, body: ReasonBody, verb: holdCard }),
  route({ ...post, path: `${CARD}:unhold`, body: ReasonBody, verb: unholdCard }),
  route({ ...post, path: `${CARD}:reopen`, body: ReopenCardBody, verb: reopenCard }),
  route({ ...post, path: `${CARD}:archive`, body: ForceBody, verb: archiveCard }),
  route({ ...post, path: `${CARD}:unarchive`, body: NoFields, verb: unarchiveCard }),
  route({ ...post, path: `${CARD}:redrive`, body: ReasonBody, verb: redriveCard }),
  route({ ...post, path: `${CARD}:request-cancel`, body: ReasonBody, verb: requestCancel }),
  route({ ...post, path: `${CARD}:complete`, body: CompleteCardBody, verb: completeCard }),
  route({ ...post, path: `${CARD}:block`, body: BlockCardBody, verb: blockCard }),
  route({ ...post, path: `${CARD}:unblock`, body: ReasonBody, verb: unblockCard }),
  route({ ...post, path: `${CARD}:promote`, body: NoFields, verb: promoteCard }),
  route({ ...post, path: `${CARD}:reopen-review`, body: ReopenReviewBody, verb: reopenReview }),
  route({ ...post, path: `${CARD}:reclaim`, body: ReclaimCardBody, verb: reclaimCard }),
];
