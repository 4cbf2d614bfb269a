/** The thread of a card. */
import { CreateCommentBody, ListCommentsQuery } from '../../../shared/schemas/comments.ts';
import { createComment } from '../../../shared/verbs/create-comment.ts';
import { listComments } from '../../../shared/verbs/list-comments.ts';
import { repeatableRoute, route, type Route } from '../../http/route.ts';

const COMMENTS = '/v1/cards/{card}/comments';

export const commentRoutes: readonly Route[] = [
  repeatableRoute({
    method: 'POST',
    path: COMMENTS,
    scope: 'worker',
    body: CreateCommentBody,
    status: 201,
    verb: createComment,
  }),
  route({ method: 'GET', path: COMMENTS, scope: 'worker', query: ListCommentsQuery, verb: listComments }),
];
