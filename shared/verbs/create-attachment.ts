/** Attach: a file to a card. */
import { attach } from '../attachments/attach.ts';
import { createdView, type CreatedAttachmentView } from '../attachments/view.ts';
import type { Caller, Engine } from '../engine.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import type { CreateAttachmentBody } from '../schemas/attachments.ts';

/**
 * Answers the attachment under the name that it was given, with the address to upload it to unless the request
 * brought the file. With a `lease_token` it is the holder's own, and renews its lease.
 */
export async function createAttachment(
  engine: Engine,
  caller: Caller,
  input: CreateAttachmentBody & { card: string },
  repeat: Repeatable | null,
): Promise<Replayable<CreatedAttachmentView>> {
  const { value, ...rest } = await attach(engine, caller, input, repeat);
  return { value: await createdView(engine, value), ...rest };
}
