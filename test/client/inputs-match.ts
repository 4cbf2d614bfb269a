/**
 * Held by the compiler, not by a run: whatever the server's schemas of requests take can be said with the client's
 * types. A field that a request gains stops `npm run typecheck` here until the client has it too.
 */
import type * as z from 'zod';
import type { LeaseboardClient } from '../../client/index.ts';
import type * as attachments from '../../shared/schemas/attachments.ts';
import type * as blocks from '../../shared/schemas/blocks.ts';
import type * as boards from '../../shared/schemas/boards.ts';
import type * as cards from '../../shared/schemas/cards.ts';
import type * as claims from '../../shared/schemas/claims.ts';
import type * as columns from '../../shared/schemas/columns.ts';
import type * as events from '../../shared/schemas/events.ts';
import type * as frontiers from '../../shared/schemas/frontier.ts';
import type * as graphs from '../../shared/schemas/graphs.ts';
import type * as leases from '../../shared/schemas/leases.ts';
import type * as links from '../../shared/schemas/links.ts';
import type * as reviews from '../../shared/schemas/reviews.ts';
import type * as tokens from '../../shared/schemas/tokens.ts';
import type * as webhooks from '../../shared/schemas/webhooks.ts';

type Client = LeaseboardClient;

/** What a method takes in its `Place`th argument. */
type Given<Method extends (...args: never[]) => unknown, Place extends 0 | 1 | 2> = NonNullable<
  Parameters<Method>[Place]
>;

/** True when the client's type has every field that the schema takes; else those that it lacks. */
type Takes<Schema extends z.ZodType, Input, Elsewhere extends string = never> =
  Exclude<keyof z.input<Schema>, KeyOfAny<Input> | Elsewhere> extends never
    ? true
    : { readonly lacking: Exclude<keyof z.input<Schema>, KeyOfAny<Input> | Elsewhere> };

/** Of every member of a union. */
type KeyOfAny<Input> = Input extends unknown ? keyof Input : never;

/** A card's lease is named among the options of a call. */
type ByOptions = 'lease_token';

export const takes: readonly [
  Takes<typeof boards.CreateBoardBody, Given<Client['boards']['create'], 0>>,
  Takes<typeof boards.UpdateBoardBody, Given<Client['boards']['update'], 1>>,
  Takes<typeof boards.ListBoardsQuery, Given<Client['boards']['list'], 0>>,
  Takes<typeof boards.DiagnosticsQuery, Given<Client['boards']['diagnostics'], 1>>,
  Takes<typeof columns.CreateColumnBody, Given<Client['columns']['create'], 1>>,
  Takes<typeof columns.UpdateColumnBody, Given<Client['columns']['update'], 2>>,
  Takes<typeof claims.ClaimNextBody, Given<Client['columns']['claimNext'], 2>>,
  Takes<typeof claims.ClaimBatchBody, Given<Client['columns']['claimBatch'], 2>>,
  Takes<typeof claims.ClaimCardBody, Given<Client['cards']['claim'], 1>>,
  Takes<typeof leases.RenewBody, Given<Client['leases']['renew'], 1>>,
  Takes<typeof leases.CompleteBody, Given<Client['leases']['complete'], 1>>,
  Takes<typeof leases.FailBody, Given<Client['leases']['fail'], 1>>,
  Takes<typeof leases.ReleaseBody, Given<Client['leases']['release'], 1>>,
  Takes<typeof blocks.BlockBody, Given<Client['leases']['block'], 1>>,
  Takes<typeof reviews.RequestReviewBody, Given<Client['leases']['requestReview'], 1>>,
  Takes<typeof reviews.RequestChangesBody, Given<Client['leases']['requestChanges'], 1>>,
  Takes<typeof leases.ListLeasesQuery, Given<Client['leases']['list'], 1>>,
  Takes<typeof cards.CreateCardBody, Given<Client['cards']['create'], 1>, ByOptions>,
  Takes<typeof cards.PatchCardBody, Given<Client['cards']['update'], 1>, ByOptions>,
  Takes<typeof cards.ListCardsQuery, Given<Client['cards']['list'], 1>>,
  Takes<typeof cards.DeleteCardQuery, Given<Client['cards']['delete'], 1>>,
  Takes<typeof cards.BulkCardsBody, Given<Client['cards']['bulk'], 1>>,
  Takes<typeof cards.MoveCardBody, Given<Client['cards']['move'], 1>>,
  Takes<typeof cards.AssignCardBody, Given<Client['cards']['assign'], 2>, 'assignee'>,
  Takes<typeof cards.ForceBody, Given<Client['cards']['archive'], 1>>,
  Takes<typeof cards.ReasonBody, Given<Client['cards']['hold'], 1>>,
  Takes<typeof cards.ReasonBody, Given<Client['cards']['unhold'], 1>>,
  Takes<typeof cards.ReasonBody, Given<Client['cards']['unblock'], 1>>,
  Takes<typeof cards.ReasonBody, Given<Client['cards']['redrive'], 1>>,
  Takes<typeof cards.CompleteCardBody, Given<Client['cards']['complete'], 1>>,
  Takes<typeof cards.ReopenCardBody, Given<Client['cards']['reopen'], 1>>,
  Takes<typeof blocks.BlockCardBody, Given<Client['cards']['block'], 1>>,
  Takes<typeof reviews.ReopenReviewBody, Given<Client['cards']['reopenReview'], 1>>,
  Takes<typeof graphs.CreateGraphBody, Given<Client['cards']['createGraph'], 1>>,
  Takes<typeof graphs.CreateSwarmBody, Given<Client['cards']['createSwarm'], 1>>,
  Takes<typeof graphs.DecomposeCardBody, Given<Client['cards']['decompose'], 1>, ByOptions>,
  Takes<typeof links.LinkCardsBody, Given<Client['links']['create'], 1>, ByOptions>,
  Takes<typeof links.UnlinkCardsQuery, Given<Client['links']['delete'], 1>>,
  Takes<typeof attachments.CreateAttachmentBody, Given<Client['attachments']['create'], 1>, ByOptions>,
  Takes<typeof frontiers.FrontierQuery, Given<Client['frontier']['get'], 1>>,
  Takes<typeof events.ListEventsQuery, Given<Client['events']['list'], 1>>,
  Takes<typeof events.ListCardEventsQuery, Given<Client['cards']['events'], 1>>,
  Takes<typeof webhooks.CreateWebhookBody, Given<Client['webhooks']['create'], 1>>,
  Takes<typeof webhooks.PatchWebhookBody, Given<Client['webhooks']['update'], 2>>,
  Takes<typeof webhooks.RotateSecretBody, Given<Client['webhooks']['rotateSecret'], 2>>,
  Takes<typeof webhooks.ListDeliveriesQuery, Given<Client['webhooks']['deliveries'], 2>>,
  Takes<typeof tokens.CreateTokenBody, Given<Client['tokens']['create'], 0>>,
  Takes<typeof tokens.RotateTokenBody, Given<Client['tokens']['rotate'], 1>>,
  Takes<typeof tokens.RegisterRoleBody, Given<Client['tokens']['registerRole'], 0>>,
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
