/** The attachments of a card as its context names them. */
import type { Engine } from '../engine.ts';
import type { Job } from '../store/items.ts';
import { attachmentRows } from './rows.ts';

export interface AttachmentBrief {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
}

/** Oldest first; nothing is read for a card that has none. */
export async function attachmentBriefs(engine: Engine, job: Job): Promise<readonly AttachmentBrief[]> {
  if ((job.attachments ?? 0) === 0) return [];
  const rows = await attachmentRows(engine, job.pk);
  return rows.map(({ id, name, content_type, size }) => ({ id, name, content_type, size }));
}
