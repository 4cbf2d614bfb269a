/** Create a webhook: it gets what happens from now on, or since a time. Its secret is in this answer and nowhere else. */
import { boardFor, mustBeOpen, type Board } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { notFound, problem } from '../errors.ts';
import { isId, newId } from '../ids.ts';
import { readJob } from '../jobs.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { CreateWebhookBody } from '../schemas/webhooks.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { webhookKey } from '../store/keys.ts';
import type { WebhookItem } from '../store/webhook-items.ts';
import type { WebhookView } from '../views/webhook.ts';
import { WEBHOOKS_PER_BOARD } from '../webhooks/policy.ts';
import { startRecovery } from '../webhooks/recovery.ts';
import { newSecret, sealSecret, shownSecret } from '../webhooks/secret.ts';
import { showWebhook } from '../webhooks/show.ts';
import { mustBeTarget } from '../webhooks/target-for.ts';
import { webhooksOf } from '../webhooks/webhook-rows.ts';

/** Of a whole board there are no children to add. */
const NO_CARD = { path: '/include_children', message: 'goes with `card_id`, whose children are meant' };

export type CreatedWebhook = WebhookView & { readonly secret: string };

/**
 * `types` left out or null: every type. `card_id`: that card's events, until it is archived; with `include_children`
 * those of its children and sub-cards too.
 */
export async function createWebhook(
  engine: Engine,
  caller: Caller,
  input: { board: string } & CreateWebhookBody,
): Promise<CreatedWebhook> {
  const board = await boardFor(engine, caller, input.board);
  mustBeOpen(board);
  mustBeTarget(engine, input.url);
  if (input.card_id != null) await mustBeCardOf(engine, board, input.card_id);
  else if (input.include_children === true) throw refusedInput([NO_CARD]);
  await mustHaveRoom(engine, board);
  const secret = newSecret(engine.deps);
  const item = newWebhook(engine, caller, board, input, secret);
  const written = await engine.store.write({ kind: 'put', item, condition: ABSENT });
  if (!written.ok) throw problem('conflict', 'A webhook of this id exists already. Try again.');
  const webhook = input.since == null ? item : await startRecovery(engine, item, Date.parse(input.since));
  return { ...(await showWebhook(engine, webhook)), secret: shownSecret(secret) };
}

function newWebhook(
  { deps, leaseKeys }: Engine,
  caller: Caller,
  board: Board,
  input: CreateWebhookBody,
  secret: Buffer,
): WebhookItem {
  const now = deps.now();
  const id = newId('whk', deps);
  return {
    ...webhookKey(board.id, id),
    v: LAYOUT_VERSION,
    board_id: board.id,
    webhook_id: id,
    url: input.url,
    ...(input.types == null ? {} : { types: input.types }),
    ...(input.card_id == null ? {} : { card_id: input.card_id }),
    ...(input.include_children === true ? { children: true } : {}),
    ...(input.description == null ? {} : { description: input.description }),
    secret: sealSecret(leaseKeys, id, secret),
    enabled: true,
    tests: 0,
    created_by: actorOf(caller).id,
    created_at: now,
    updated_at: now,
    rev: 1,
  };
}

async function mustBeCardOf(engine: Engine, board: Board, cardId: string): Promise<void> {
  const job = isId('crd', cardId) ? await readJob(engine, cardId) : undefined;
  if (job === undefined || job.board_id !== board.id || job.state === 'deleted') {
    throw notFound('card', cardId);
  }
  if (job.state === 'archived') {
    throw problem(
      'conflict',
      'That card is archived, which ends every subscription to it. Unarchive it first.',
      {
        card_id: cardId,
      },
    );
  }
}

async function mustHaveRoom({ store }: Engine, board: Board): Promise<void> {
  if ((await webhooksOf(store, board.id)).length < WEBHOOKS_PER_BOARD) return;
  throw problem('quota_exceeded', `The board has ${WEBHOOKS_PER_BOARD} webhooks already. Delete one first.`);
}
