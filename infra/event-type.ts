/** Types of events, as rules and webhooks ask for them. */
import { EVENT_TYPES } from '../shared/events/types.ts';

export class EventType {
  static readonly CARD_CREATED = EventType.of('card.created');
  static readonly CARD_READY = EventType.of('card.ready');
  static readonly CARD_MOVED = EventType.of('card.moved');
  static readonly CARD_BLOCKED = EventType.of('card.blocked');
  static readonly CARD_COMMENTED = EventType.of('card.commented');
  static readonly LEASE_CLAIMED = EventType.of('card.lease.claimed');
  static readonly LEASE_COMPLETED = EventType.of('card.lease.completed');
  static readonly LEASE_FAILED = EventType.of('card.lease.failed');
  static readonly LEASE_EXPIRED = EventType.of('card.lease.expired');
  static readonly LEASE_DEADLETTERED = EventType.of('card.lease.deadlettered');

  readonly name: (typeof EVENT_TYPES)[number];

  private constructor(name: (typeof EVENT_TYPES)[number]) {
    this.name = name;
  }

  /**
   * Any type by its name.
   * @throws Error for a name that no event has: a rule on it would wait for ever.
   */
  static of(name: string): EventType {
    const known = EVENT_TYPES.find((type) => type === name);
    if (known !== undefined) return new EventType(known);
    throw new Error(`No event has the type '${name}'. docs/events.md lists them all.`);
  }
}
