/** The queue of deliveries as a test sees it: what is in it, and what of it is due by the world's clock. */
import type { DeliveryMessage, DeliveryQueue, QueuedMessage } from '../../shared/webhooks/message.ts';

interface Waiting {
  readonly message: DeliveryMessage;
  readonly due: number;
}

export class MemoryQueue implements DeliveryQueue {
  #waiting: Waiting[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async send(messages: readonly QueuedMessage[]): Promise<void> {
    this.#waiting.push(...messages.map(({ message, delayMs }) => ({ message, due: this.#now() + delayMs })));
  }

  /** All that is in it, the first due first. */
  get waiting(): readonly Waiting[] {
    return this.#waiting.toSorted((a, b) => a.due - b.due);
  }

  /** Takes out up to ten that are due, as a batch of the queue. */
  take(max = 10): DeliveryMessage[] {
    const due = this.waiting.filter((waiting) => waiting.due <= this.#now()).slice(0, max);
    this.#waiting = this.#waiting.filter((waiting) => !due.includes(waiting));
    return due.map(({ message }) => message);
  }

  /** Loses everything, as a queue in memory does that is killed. */
  clear(): void {
    this.#waiting = [];
  }
}
