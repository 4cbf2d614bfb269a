/**
 * The slots of an endpoint, and how it fares. At most four sends are in flight to one; after three timeouts in a row
 * one, as a probe. A slot is a time on the endpoint's item until which it is held: one that is never given back is
 * free after it, so none can leak.
 */
import { expression, type Expression } from '../store/conditions.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { endpointKey } from '../store/keys.ts';
import type { Item, Update } from '../store/params.ts';
import type { Store } from '../store/store.ts';
import { EndpointSchema, SLOT_NAMES, type EndpointItem, type SlotName } from '../store/webhook-items.ts';
import { SLOT_HELD_MS, TIMEOUTS_TO_PROBE } from './policy.ts';

export interface Slot {
  readonly name: SlotName;
  /** Also its holder's name: nobody else takes it before. */
  readonly until: number;
}

/** `crowded`: come back soon. `dead`: a probe is under way, and nothing else goes out. */
export type SlotAnswer = { readonly slot: Slot; readonly probe: boolean } | 'crowded' | 'dead';

/** Sends of one chain, counted. */
export interface Tally {
  readonly failures: number;
  /** Since the last answer of any kind. */
  readonly timeouts: number;
  readonly answered: boolean;
  readonly deliveredAt: number | null;
  /** The first failure that no success followed. */
  readonly failedAt: number | null;
}

const EMPTY: EndpointItem = { pk: '', sk: '', v: LAYOUT_VERSION, board_id: '' };

export function parseEndpoint(item: Item | undefined): EndpointItem {
  return item === undefined ? EMPTY : EndpointSchema.parse(item);
}

export const isDead = ({ timeouts = 0 }: EndpointItem): boolean => timeouts >= TIMEOUTS_TO_PROBE;

/** @param seen The endpoint as it was read; a stale one costs a refused write, no more. */
export async function takeSlot(
  store: Store,
  boardId: string,
  webhookId: string,
  seen: EndpointItem,
  now: number,
): Promise<SlotAnswer> {
  let endpoint = seen;
  for (let tried = 0; tried < SLOT_NAMES.length; tried += 1) {
    const probe = isDead(endpoint);
    const free = SLOT_NAMES.filter((name) => (endpoint[name] ?? 0) <= now);
    const [name] = free;
    if (name === undefined || (probe && free.length < SLOT_NAMES.length)) return probe ? 'dead' : 'crowded';
    const until = now + SLOT_HELD_MS;
    const written = await store.write({
      kind: 'update',
      key: endpointKey(webhookId),
      set: { v: LAYOUT_VERSION, board_id: boardId, [name]: until },
      remove: [],
      condition: isFree(probe ? SLOT_NAMES : [name], now),
    });
    if (written.ok) return { slot: { name, until }, probe };
    endpoint = parseEndpoint(written.old);
  }
  return 'crowded';
}

function isFree(names: readonly SlotName[], now: number): Expression {
  const clauses = names.map((name) => `(attribute_not_exists(#${name}) OR #${name} <= :c_now)`);
  return expression(clauses.join(' AND '), { now });
}

/** Gives the slot back and counts what was sent under it. Answers the endpoint as it is then. */
export async function giveBack(
  store: Store,
  webhookId: string,
  slot: Slot,
  tally: Tally | null,
): Promise<EndpointItem> {
  const update = { kind: 'update' as const, key: endpointKey(webhookId), ...counted(tally) };
  const written = await store.write({
    ...update,
    remove: [...update.remove, slot.name],
    condition: expression(`#${slot.name} = :c_until`, { until: slot.until }),
  });
  if (written.ok) return parseEndpoint(written.item);
  // No longer held by anybody: it was given back and counted by this very write, whose answer was lost.
  if (tally === null || written.old?.[slot.name] === undefined) return parseEndpoint(written.old);
  // It took too long, and the slot is another's: what was sent is counted all the same.
  const late = await store.write(update);
  return parseEndpoint(late.ok ? late.item : late.old);
}

function counted(
  tally: Tally | null,
): Pick<Update, 'set' | 'remove' | 'copy' | 'tally'> & { remove: string[] } {
  if (tally === null) return { set: {}, remove: [] };
  const { failures, timeouts, deliveredAt, failedAt } = tally;
  if (deliveredAt !== null) {
    return {
      set: {
        delivered_at: deliveredAt,
        failures,
        timeouts,
        ...(failedAt === null ? {} : { failing_since: failedAt }),
      },
      remove: ['reported_at', ...(failedAt === null ? ['failing_since'] : [])],
    };
  }
  return {
    set: tally.answered ? { timeouts } : {},
    remove: [],
    copy: failedAt === null ? {} : { failing_since: { from: 'failing_since', default: failedAt } },
    tally: { failures, ...(tally.answered ? {} : { timeouts }) },
  };
}

/** As if it had never failed: what is sent to it next is the first of a new row. */
export async function forgetFailures(store: Store, boardId: string, webhookId: string): Promise<void> {
  await store.write({
    kind: 'update',
    key: endpointKey(webhookId),
    set: { v: LAYOUT_VERSION, board_id: boardId },
    remove: ['timeouts', 'failures', 'failing_since', 'reported_at'],
  });
}
