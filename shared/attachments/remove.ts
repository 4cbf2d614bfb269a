/** Removing attachments: the file first, so that none is left which no row names. */
import type { Engine } from '../engine.ts';
import { AttachmentSchema } from '../store/attachment-items.ts';
import { ATTACHMENT_PREFIX } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import { BUCKET_WIDTH } from './policy.ts';
import { objectKey } from './rows.ts';

/** Removes the files of those items that are attachments, before somebody deletes them with their card. */
export async function removeFiles(engine: Engine, items: readonly Record<string, unknown>[]): Promise<void> {
  const rows = items.filter(({ sk }) => String(sk).startsWith(ATTACHMENT_PREFIX));
  await inWidth(BUCKET_WIDTH, rows, async (item) =>
    engine.bucket.remove(objectKey(AttachmentSchema.parse(item))),
  );
}
