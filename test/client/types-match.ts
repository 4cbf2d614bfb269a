/**
 * Held by the compiler, not by a run: what the server's schemas of its answers say is what the client's types
 * promise. A field that an answer loses or changes stops `npm run typecheck` here.
 */
import type * as z from 'zod';
import type * as client from '../../client/index.ts';
import type * as boards from '../../shared/schemas/responses/board.ts';
import type * as cards from '../../shared/schemas/responses/card.ts';
import type * as attachments from '../../shared/schemas/responses/attachment.ts';
import type * as comments from '../../shared/schemas/responses/comment.ts';
import type * as contexts from '../../shared/schemas/responses/context.ts';
import type * as events from '../../shared/schemas/responses/event.ts';
import type * as frontiers from '../../shared/schemas/responses/frontier.ts';
import type * as leases from '../../shared/schemas/responses/lease.ts';
import type * as links from '../../shared/schemas/responses/link.ts';
import type * as supervision from '../../shared/schemas/responses/supervision.ts';
import type * as tokens from '../../shared/schemas/responses/token.ts';
import type * as webhooks from '../../shared/schemas/responses/webhook.ts';

/** True when every answer of the schema is of the client's type; else the fields that are not. */
type Fits<Schema extends z.ZodType, Type> =
  Stated<z.infer<Schema>> extends Type ? true : { readonly unfit: Unfit<Stated<z.infer<Schema>>, Type> };

/** JSON has no undefined: a field that may be left out is there or not. */
type Stated<Answer> = Answer extends readonly (infer Item)[]
  ? Stated<Item>[]
  : Answer extends object
    ? { [Name in keyof Answer]: Stated<Exclude<Answer[Name], undefined>> }
    : Answer;

type Unfit<Answer, Type> = {
  [Name in keyof Type]: Name extends keyof Answer ? (Answer[Name] extends Type[Name] ? never : Name) : Name;
}[keyof Type];

export const fits: readonly [
  Fits<typeof boards.BoardAnswer, client.Board>,
  Fits<typeof boards.ColumnAnswer, client.Column>,
  Fits<typeof boards.ContractAnswer, client.Contract>,
  Fits<typeof boards.BoardDetailAnswer, client.BoardDetail>,
  Fits<typeof boards.RedrivenAnswer, client.Redriven>,
  Fits<typeof cards.CardSummaryAnswer, client.CardSummary>,
  Fits<typeof cards.CreatedCardAnswer, client.Card>,
  Fits<typeof cards.RunAnswer, client.Run>,
  Fits<typeof comments.CommentAnswer, client.Comment>,
  Fits<typeof contexts.ContextAnswer, client.CardContext>,
  Fits<typeof leases.ClaimNextAnswer, client.ClaimAnswer>,
  Fits<typeof leases.ClaimBatchAnswer, client.ClaimBatchAnswer>,
  Fits<typeof leases.LeaseAnswer, client.Lease>,
  Fits<typeof leases.RenewAnswer, client.RenewAnswer>,
  Fits<typeof leases.ClosedAnswer, client.ClosedRun>,
  Fits<typeof leases.FailedAnswer, client.FailAnswer>,
  Fits<typeof tokens.TokenAnswer, client.Token>,
  Fits<typeof tokens.CreatedTokenAnswer, client.CreatedToken>,
  Fits<typeof tokens.MeAnswer, client.Me>,
  Fits<typeof events.EventAnswer, client.BoardEvent>,
  Fits<typeof events.EventFeedAnswer, client.EventPage>,
  Fits<typeof webhooks.WebhookAnswer, client.Webhook>,
  Fits<typeof webhooks.WebhookSecretAnswer, client.WebhookWithSecret>,
  Fits<typeof webhooks.DeliveryAnswer, client.Delivery>,
  Fits<typeof attachments.AttachmentAnswer, client.Attachment>,
  Fits<typeof attachments.CreatedAttachmentAnswer, client.CreatedAttachment>,
  Fits<typeof frontiers.FrontierAnswer, client.Frontier>,
  Fits<typeof links.LinkAnswer, client.Link>,
  Fits<typeof links.LinksAnswer, client.Links>,
  Fits<typeof links.GraphAnswer, client.GraphAnswer>,
  Fits<typeof supervision.StatsAnswer, client.Stats>,
  Fits<typeof supervision.DiagnosticAnswer, client.Diagnostic>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];
