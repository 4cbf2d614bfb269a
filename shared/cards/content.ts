/** What people read of a card, as it is kept: CARD, and BODY when the text is long. */
import { INLINE_BODY_BYTES } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { LAYOUT_VERSION, toJsonText, type Card } from '../store/items.ts';
import { bodyKey, cardKey } from '../store/keys.ts';
import { difference, type Item, type Put, type Update, type Write } from '../store/params.ts';
import { bytesOf } from '../text.ts';

interface Texts {
  readonly card: Card;
  readonly body: string;
}

export const isLong = (body: string): boolean => bytesOf(body) > INLINE_BODY_BYTES;

/** CARD with the text in it, or with the mark that it is in BODY. */
export function withBody(card: Card, body: string): Card {
  const { body: _body, long_body: _long, ...rest } = card;
  if (isLong(body)) return { ...rest, long_body: true };
  return body === '' ? rest : { ...rest, body };
}

/** CARD's attributes as they are kept: the properties as JSON text. */
export function storedCard(card: Card): Item & Pick<Card, 'pk' | 'sk'> {
  return { ...card, properties: toJsonText(card.properties) };
}

export function bodyWrite(card: Pick<Card, 'pk' | 'board_id'>, body: string): Put {
  return { kind: 'put', item: { ...bodyKey(card.pk), v: LAYOUT_VERSION, board_id: card.board_id, body } };
}

/** CARD's write that makes one of the other; none when nothing differs. */
export function cardWrites(before: Card, after: Card): Write[] {
  const { set, remove } = difference(storedCard(before), storedCard(after));
  return Object.keys(set).length + remove.length === 0 ? [] : [cardWrite(before, set, remove)];
}

/** On condition that nobody changed CARD since it was read, beside JOB and perhaps before it. */
function cardWrite(before: Card, set: Item, remove: readonly string[]): Update {
  const { ver } = before;
  const condition = ver === undefined ? UNVERSIONED : expression('#ver = :c_ver', { ver });
  const key = cardKey(before.pk);
  return { kind: 'update', key, set: { ...set, ver: (ver ?? 0) + 1 }, remove, condition };
}
const UNVERSIONED = expression('attribute_exists(#pk) AND attribute_not_exists(#ver)', {});

/** The writes that make one card's texts those of another; none when nothing differs. */
export function textWrites(before: Texts, after: Texts): Write[] {
  const writes = cardWrites(before.card, withBody(after.card, after.body));
  if (before.body === after.body) return writes;
  // CARD says where the text is, so a change of the text alone is written there too.
  if (writes.length === 0) writes.push(cardWrite(before.card, {}, []));
  if (isLong(after.body)) writes.push(bodyWrite(before.card, after.body));
  else if (before.card.long_body) writes.push({ kind: 'delete', key: bodyKey(before.card.pk) });
  return writes;
}
