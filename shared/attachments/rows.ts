/** The rows of a card's attachments, and whether the files behind them are there. */
import type { Engine } from '../engine.ts';
import { PRESENT } from '../store/conditions.ts';
import { AttachmentSchema, type AttachmentItem } from '../store/attachment-items.ts';
import { ATTACHMENT_PREFIX, attachmentKey } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import { BUCKET_WIDTH, FILES_PER_CARD } from './policy.ts';

/** Where the file of an attachment lies in the bucket. */
export function objectKey({ board_id, pk, id }: Pick<AttachmentItem, 'board_id' | 'pk' | 'id'>): string {
  return `${board_id}/${pk}/${id}`;
}

/** Oldest first. */
export async function attachmentRows(engine: Engine, cardId: string): Promise<AttachmentItem[]> {
  const { items } = await engine.store.query({
    pk: { name: 'pk', value: cardId },
    sk: { name: 'sk', prefix: ATTACHMENT_PREFIX },
    limit: FILES_PER_CARD,
    consistent: true,
  });
  return items.map((item) => AttachmentSchema.parse(item));
}

export async function findAttachment(
  engine: Engine,
  cardId: string,
  id: string,
): Promise<AttachmentItem | undefined> {
  const item = await engine.store.get(attachmentKey(cardId, id));
  return item === undefined ? undefined : AttachmentSchema.parse(item);
}

/** The rows with what the bucket says of those whose file had not been seen yet. */
export async function lookedUp(engine: Engine, rows: readonly AttachmentItem[]): Promise<AttachmentItem[]> {
  const seen = new Map<string, AttachmentItem>();
  const open = rows.filter((row) => row.uploaded !== true);
  await inWidth(BUCKET_WIDTH, open, async (row) => {
    // Another size would be another file than was announced, or half of it.
    if ((await engine.bucket.sizeOf(objectKey(row))) !== row.size) return;
    await engine.store.write({
      kind: 'update',
      key: { pk: row.pk, sk: row.sk },
      set: { uploaded: true },
      remove: [],
      condition: PRESENT,
    });
    seen.set(row.id, { ...row, uploaded: true });
  });
  return rows.map((row) => seen.get(row.id) ?? row);
}
