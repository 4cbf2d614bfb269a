/** What the sender works with, and on. */
import type { Engine } from '../engine.ts';
import type { Report } from '../events/step.ts';
import type { DeliveryItem } from '../store/webhook-items.ts';
import type { SendMessage } from './message.ts';
import type { Post } from './post.ts';

export interface SenderParts {
  readonly engine: Engine;
  readonly post: Post;
  readonly report: Report;
}

/** A delivery that is to be made. */
export interface Wanted {
  readonly message: SendMessage;
  readonly row: DeliveryItem;
  /** The event as it is sent, to the byte; null when it is no longer kept. */
  readonly text: string | null;
}
