/** Which events a webhook is sent. */
import { childEdgeKey, parentEdgeKey, pendingParentsKey, type Key } from '../store/keys.ts';
import { PendingParentsSchema } from '../store/link-items.ts';
import type { Item } from '../store/params.ts';
import type { Store } from '../store/store.ts';
import type { WebhookItem } from '../store/webhook-items.ts';

interface Matched {
  readonly type: string;
  readonly cardId: string | null;
}

type Filters = Pick<WebhookItem, 'types' | 'card_id' | 'children'>;

/** An event and a webhook that may want it. */
export interface Match {
  readonly webhook: Filters;
  readonly event: Matched;
}

/** A subscription to one card ends with this: the card is put away. Being done does not end it. */
const LAST_OF_CARD: readonly string[] = ['card.archived', 'card.deleted'];

/**
 * True when the webhook's filters may let the event through: whether another card is a child of the one that it
 * follows only the table knows. Whether it is enabled is another question.
 */
export function mayWant(webhook: Filters, event: Matched): boolean {
  if (webhook.types?.includes(event.type) === false) return false;
  return isDirect({ webhook, event }) || (webhook.children === true && event.cardId !== null);
}

/** Those that are wanted. Costs nothing but for subscriptions that children inherit. */
export async function wantedOf<T extends Match>(store: Store, matches: readonly T[]): Promise<T[]> {
  const open = matches.filter((match) => !isDirect(match));
  const links = await store.batchGet(open.flatMap(linkKeys));
  const inherited = new Set(
    open.filter((match, at) => isLinked(match, links.slice(at * LINKS, (at + 1) * LINKS))),
  );
  return matches.filter((match) => isDirect(match) || inherited.has(match));
}

function isDirect({ webhook, event }: Match): boolean {
  return webhook.card_id === undefined || webhook.card_id === event.cardId;
}

const LINKS = 3;

/** Where the table has it that a card is a child of the one that is followed, or one of its sub-cards. */
function linkKeys({ webhook: { card_id = '' }, event: { cardId } }: Match): Key[] {
  const own = cardId ?? '';
  return [parentEdgeKey(own, card_id), pendingParentsKey(own), childEdgeKey(own, card_id)];
}

/** A sub-card blocks its container, so that link runs the other way; a mere parent inherits nothing. */
function isLinked({ webhook: { card_id = '' } }: Match, links: readonly (Item | undefined)[]): boolean {
  const [parent, pending, child] = links;
  if (parent !== undefined) return parent['sub'] !== true;
  if (child?.['sub'] === true) return true;
  return pending !== undefined && PendingParentsSchema.parse(pending).parents.includes(card_id);
}

/** True for the event after which a webhook has nothing more to hear of. */
export function isLastFor(webhook: Pick<WebhookItem, 'card_id'>, event: Matched): boolean {
  return (
    webhook.card_id !== undefined && webhook.card_id === event.cardId && LAST_OF_CARD.includes(event.type)
  );
}
