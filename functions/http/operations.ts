/**
 * What each route is for and what it answers, in words and schemas. Apart from the routes, since nothing at run
 * time needs it but the document: the bundles of the hot verbs stay free of it.
 */
import * as z from 'zod';
import { AttachmentAnswer, CreatedAttachmentAnswer } from '../../shared/schemas/responses/attachment.ts';
import {
  BoardAnswer,
  BoardDetailAnswer,
  ColumnAnswer,
  ContractAnswer,
  RedrivenAnswer,
} from '../../shared/schemas/responses/board.ts';
import {
  BulkAnswer,
  CardAnswer,
  CardsCreatedAnswer,
  CardSummaryAnswer,
  CreatedCardAnswer,
  RunAnswer,
} from '../../shared/schemas/responses/card.ts';
import { CommentAnswer } from '../../shared/schemas/responses/comment.ts';
import { ContextAnswer } from '../../shared/schemas/responses/context.ts';
import { CardEventsAnswer, EventFeedAnswer } from '../../shared/schemas/responses/event.ts';
import {
  ClaimBatchAnswer,
  ClaimedAnswer,
  ClaimNextAnswer,
  ClosedAnswer,
  FailedAnswer,
  LeaseAnswer,
  RenewAnswer,
  RenewBatchAnswer,
} from '../../shared/schemas/responses/lease.ts';
import { FrontierAnswer } from '../../shared/schemas/responses/frontier.ts';
import { GraphAnswer, LinkAnswer, LinksAnswer } from '../../shared/schemas/responses/link.ts';
import { pageOf } from '../../shared/schemas/responses/parts.ts';
import { DiagnosticAnswer, StatsAnswer } from '../../shared/schemas/responses/supervision.ts';
import { ExportedRowAnswer, ImportAnswer } from '../../shared/schemas/responses/transfer.ts';
import { CreatedTokenAnswer, MeAnswer, TokenAnswer } from '../../shared/schemas/responses/token.ts';
import {
  DeliveryAnswer,
  WebhookAnswer,
  WebhookSecretAnswer,
} from '../../shared/schemas/responses/webhook.ts';
import type { Method } from './route.ts';

export const TAGS = {
  System: 'Whether it runs, and who one is',
  Boards: 'Boards with all that stands on them',
  Columns: 'Columns, and the contracts that make queues of them',
  Claim: 'Getting a card to work on, under a lease',
  Leases: 'Keeping a lease, and ending it with a result',
  Cards: 'What people and workers do with cards',
  'Around a card': 'What hangs on a card, and what a worker should read of it',
  Events: 'What has happened, in order and nothing skipped',
  Webhooks: 'Events sent to an address, signed, until they arrive',
  Tokens: 'Who may call',
} as const;

export interface Operation {
  /** Name of the operation in generated clients. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Null for an answer without a body. */
  readonly answer: z.ZodType | null;
}

type Described = readonly [id: string, summary: string, answer: z.ZodType | null];

/** Operations of one tag, by `METHOD /path`. */
function group(
  tag: Operation['tag'],
  rows: Readonly<Record<`${Method} /${string}`, Described>>,
): [string, Operation][] {
  return Object.entries(rows).map(([address, [id, summary, answer]]) => [
    address,
    { id, tag, summary, answer },
  ]);
}

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ...group('System', {
    'GET /healthz': ['health', 'Whether it runs', z.object({ status: z.literal('ok') })],
    'GET /v1/me': ['me', 'What the token in use is and may do', MeAnswer],
    'GET /v1/openapi.json': ['openapi', 'This document', z.record(z.string(), z.unknown())],
  }),
  ...group('Boards', {
    'POST /v1/boards': ['createBoard', 'Create a board, with the columns of a template', BoardDetailAnswer],
    'GET /v1/boards': ['listBoards', 'Boards that the token may know of', pageOf(BoardAnswer)],
    'GET /v1/boards/{board}': ['getBoard', 'One board with columns, contracts and counts', BoardDetailAnswer],
    'PATCH /v1/boards/{board}': ['updateBoard', 'Change what a board is called', BoardAnswer],
    'DELETE /v1/boards/{board}': ['deleteBoard', 'Archive a board, or delete it with `hard`', null],
    'GET /v1/boards/{board}/stats': ['getStats', 'How a board fares, in numbers', StatsAnswer],
    'GET /v1/boards/{board}/diagnostics': [
      'getDiagnostics',
      'Cards that are not offered: why, since when, and what would change that',
      pageOf(DiagnosticAnswer),
    ],
    'GET /v1/boards/{board}/export': [
      'exportBoard',
      'A board as rows, a page at a time: what an import takes',
      pageOf(ExportedRowAnswer),
    ],
    'POST /v1/boards/{board}/import': [
      'importBoard',
      'Put the rows of an export onto a board; what is there already stays as it is',
      ImportAnswer,
    ],
    'POST /v1/boards/{board}:restore': ['restoreBoard', 'Open an archived board again', BoardAnswer],
  }),
  ...group('Columns', {
    'POST /v1/boards/{board}/columns': ['createColumn', 'Add a column', ColumnAnswer],
    'PATCH /v1/boards/{board}/columns/{column}': ['updateColumn', 'Change or move a column', ColumnAnswer],
    'DELETE /v1/boards/{board}/columns/{column}': ['deleteColumn', 'Delete an empty column', null],
    'GET /v1/boards/{board}/columns/{column}/contract': ['getContract', 'The contract', ContractAnswer],
    'PUT /v1/boards/{board}/columns/{column}/contract': [
      'putContract',
      'Replace the contract',
      ContractAnswer,
    ],
    'POST /v1/boards/{board}/columns/{column}:pause': ['pauseColumn', 'Hand out no more cards', ColumnAnswer],
    'POST /v1/boards/{board}/columns/{column}:resume': ['resumeColumn', 'Hand out cards again', ColumnAnswer],
    'POST /v1/boards/{board}/columns/{column}:redrive': [
      'redriveColumn',
      'Bring back the dead cards of a column, a hundred a call',
      RedrivenAnswer,
    ],
  }),
  ...group('Events', {
    'GET /v1/boards/{board}/events': ['listEvents', 'The feed of a board, from a cursor on', EventFeedAnswer],
    'GET /v1/cards/{card}/events': ['listCardEvents', 'What has happened to a card', CardEventsAnswer],
  }),
  ...group('Webhooks', {
    'POST /v1/boards/{board}/webhooks': [
      'createWebhook',
      'Create a webhook; its secret is shown in this answer only',
      WebhookSecretAnswer,
    ],
    'GET /v1/boards/{board}/webhooks': ['listWebhooks', 'Webhooks of a board', pageOf(WebhookAnswer)],
    'GET /v1/boards/{board}/webhooks/{webhook}': ['getWebhook', 'One webhook', WebhookAnswer],
    'PATCH /v1/boards/{board}/webhooks/{webhook}': [
      'patchWebhook',
      'Change where it goes, what it gets, or whether it gets anything',
      WebhookAnswer,
    ],
    'DELETE /v1/boards/{board}/webhooks/{webhook}': ['deleteWebhook', 'Delete a webhook', null],
    'POST /v1/boards/{board}/webhooks/{webhook}:rotate-secret': [
      'rotateSecret',
      'A new secret; the one before signs beside it for a while',
      WebhookSecretAnswer,
    ],
    'POST /v1/boards/{board}/webhooks/{webhook}:test': [
      'testWebhook',
      'Send it a test event, and see how it went',
      DeliveryAnswer,
    ],
    'POST /v1/boards/{board}/webhooks/{webhook}:enable': ['enableWebhook', 'Turn it on again', WebhookAnswer],
    'POST /v1/boards/{board}/webhooks/{webhook}:recover': [
      'recover',
      'Send again what it has not got since a time',
      WebhookAnswer,
    ],
    'GET /v1/boards/{board}/webhooks/{webhook}/deliveries': [
      'listDeliveries',
      'What was sent to it, the latest event first',
      pageOf(DeliveryAnswer),
    ],
    'POST /v1/deliveries/{delivery}:redeliver': [
      'redeliver',
      'Send a delivery once more, the same to the byte',
      DeliveryAnswer,
    ],
  }),
  ...group('Tokens', {
    'POST /v1/tokens': ['createToken', 'Create a token, shown in this answer only', CreatedTokenAnswer],
    'GET /v1/tokens': ['listTokens', 'Tokens, without their secrets', pageOf(TokenAnswer)],
    'DELETE /v1/tokens/{token_id}': [
      'revokeToken',
      'Revoke a token or a role, in force within a minute',
      null,
    ],
    'POST /v1/tokens/{token_id}:rotate': [
      'rotateToken',
      'Give a token a new secret, shown in this answer only; the old one opens for the grace period still',
      CreatedTokenAnswer,
    ],
    'POST /v1/roles': [
      'registerRole',
      'Let an IAM role call under `/aws`, signed by AWS; listed and revoked among the tokens',
      TokenAnswer,
    ],
  }),
  ...group('Claim', {
    'POST /v1/boards/{board}/columns/{column}:claim-next': [
      'claimNext',
      'Lease the best card of a queue, or hear why there is none',
      ClaimNextAnswer,
    ],
    'POST /v1/boards/{board}/columns/{column}:claim-batch': [
      'claimBatch',
      'Lease up to ten cards of a queue',
      ClaimBatchAnswer,
    ],
    'POST /v1/cards/{card}:claim': ['claimCard', 'Lease this card and no other', ClaimedAnswer],
  }),
  ...group('Cards', {
    'POST /v1/boards/{board}/cards': [
      'createCard',
      'Create a card at the bottom of a column',
      CreatedCardAnswer,
    ],
    'POST /v1/boards/{board}/cards:batch': [
      'createCards',
      'Create up to a hundred cards',
      CardsCreatedAnswer,
    ],
    'POST /v1/boards/{board}/cards:bulk': ['bulkCards', 'Do the same to up to a hundred cards', BulkAnswer],
    'GET /v1/boards/{board}/cards': ['listCards', 'Cards of a board or a column', pageOf(CardSummaryAnswer)],
    'GET /v1/cards/{card}': ['getCard', 'The whole card, and its ETag', CardAnswer],
    'PATCH /v1/cards/{card}': ['patchCard', 'Change what people set on it', CardAnswer],
    'DELETE /v1/cards/{card}': ['deleteCard', 'Delete a card for good', null],
    'POST /v1/cards/{card}:move': ['moveCard', 'To another column, or another place in its own', CardAnswer],
    'POST /v1/cards/{card}:assign': ['assignCard', 'Say who is to work on it', CardAnswer],
    'POST /v1/cards/{card}:hold': ['holdCard', 'Offer it to nobody for now', CardAnswer],
    'POST /v1/cards/{card}:unhold': ['unholdCard', 'Offer it again', CardAnswer],
    'POST /v1/cards/{card}:reopen': ['reopenCard', 'Take a card that is done up again', CardAnswer],
    'POST /v1/cards/{card}:archive': ['archiveCard', 'Put it away', CardAnswer],
    'POST /v1/cards/{card}:unarchive': ['unarchiveCard', 'Get it back', CardAnswer],
    'POST /v1/cards/{card}:redrive': ['redriveCard', 'Give a dead card its attempts again', CardAnswer],
    'POST /v1/cards/{card}:request-cancel': ['requestCancel', 'Ask its worker to stop', CardAnswer],
    'POST /v1/cards/{card}:reclaim': ['reclaimCard', 'Take it from its worker', CardAnswer],
    'POST /v1/cards/{card}:complete': ['completeCard', 'Say that it is done, nobody holding it', CardAnswer],
    'POST /v1/cards/{card}:block': ['blockCard', 'Stop it, saying what it needs', CardAnswer],
    'POST /v1/cards/{card}:unblock': ['unblockCard', 'Let it go on where it was stopped', CardAnswer],
    'POST /v1/cards/{card}:promote': ['promoteCard', 'Have it offered at once', CardAnswer],
    'POST /v1/cards/{card}:reopen-review': [
      'reopenReview',
      'Send it back from review to its implementer',
      CardAnswer,
    ],
  }),
  ...group('Around a card', {
    'GET /v1/boards/{board}/frontier': [
      'getFrontier',
      'What may be taken right now, or why nothing',
      FrontierAnswer,
    ],
    'POST /v1/boards/{board}/graphs': [
      'createGraph',
      'Create cards and the links between them, all or nothing',
      GraphAnswer,
    ],
    'POST /v1/boards/{board}/graphs:swarm': [
      'createSwarm',
      'Create a blackboard, workers, a verifier and a synthesizer',
      GraphAnswer,
    ],
    'POST /v1/cards/{card}:decompose': ['decomposeCard', 'Break it down into sub-cards, once', GraphAnswer],
    'POST /v1/cards/{card}/links': ['linkCards', 'Let one card wait for another', LinkAnswer],
    'GET /v1/cards/{card}/links': ['listLinks', 'What blocks it, and what it blocks', LinksAnswer],
    'DELETE /v1/cards/{card}/links': ['unlinkCards', 'Let it wait no longer', null],
    'POST /v1/cards/{card}/comments': ['createComment', 'Append to its thread', CommentAnswer],
    'GET /v1/cards/{card}/context': [
      'getContext',
      'What a worker should have read before it begins',
      ContextAnswer,
    ],
    'GET /v1/cards/{card}/comments': ['listComments', 'Its thread, oldest first', pageOf(CommentAnswer)],
    'POST /v1/cards/{card}/attachments': ['createAttachment', 'Attach a file', CreatedAttachmentAnswer],
    'GET /v1/cards/{card}/attachments': [
      'listAttachments',
      'Its files, with addresses to download them from',
      pageOf(AttachmentAnswer),
    ],
    'DELETE /v1/cards/{card}/attachments/{attachment}': ['deleteAttachment', 'Remove a file', null],
  }),
  ...group('Leases', {
    'POST /v1/leases/{lease}:renew': ['renewLease', 'Push the deadline, and hear the signals', RenewAnswer],
    'POST /v1/leases/{lease}:heartbeat': ['heartbeatLease', 'The same as renew', RenewAnswer],
    'POST /v1/leases:renew-batch': ['renewLeases', 'Renew up to a hundred leases', RenewBatchAnswer],
    'POST /v1/leases/{lease}:complete': ['completeLease', 'The work is done', ClosedAnswer],
    'POST /v1/leases/{lease}:fail': ['failLease', 'This attempt did not work', FailedAnswer],
    'POST /v1/leases/{lease}:release': ['releaseLease', 'Give the card back', ClosedAnswer],
    'POST /v1/leases/{lease}:block': ['blockLease', 'The work cannot go on without help', ClosedAnswer],
    'POST /v1/leases/{lease}:request-review': [
      'requestReview',
      'The work is there to be looked at',
      ClosedAnswer,
    ],
    'POST /v1/leases/{lease}:request-changes': [
      'requestChanges',
      'A reviewer sends it back to its implementer',
      ClosedAnswer,
    ],
    'GET /v1/leases/{lease}': ['getLease', 'One lease, held or ended', LeaseAnswer],
    'GET /v1/boards/{board}/leases': ['listLeases', 'Leases that are held now', pageOf(LeaseAnswer)],
    'GET /v1/cards/{card}/runs': ['listRuns', 'Every attempt at a card', pageOf(RunAnswer)],
    'GET /v1/runs/{run}': ['getRun', 'One attempt', RunAnswer],
  }),
]);

export function operationOf(route: { readonly method: string; readonly path: string }): Operation {
  const address = `${route.method} ${route.path}`;
  const operation = OPERATIONS.get(address);
  if (operation === undefined) throw new Error(`${address} is described in no operation`);
  return operation;
}
