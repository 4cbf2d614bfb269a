/** The attachments of a card as its context names them. */
import type { Engine } from '../engine.ts';
import type { Job } from '../store/items.ts';

export interface AttachmentBrief {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
}

/** Oldest first; nothing is read for a card that has none. */
export async function attachmentBriefs(_engine: Engine, _job: Job): Promise<readonly AttachmentBrief[]> {
  return [];
}
