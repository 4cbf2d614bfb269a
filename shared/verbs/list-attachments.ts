/** The attachments of a card, oldest first. */
import * as z from 'zod';
import { attachmentRows, lookedUp } from '../attachments/rows.ts';
import { attachmentView, type AttachmentView } from '../attachments/view.ts';
import { findJob } from '../cards/read.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ListAttachmentsQuery } from '../schemas/attachments.ts';

/** Answers each with an address to download it from, good for a quarter of an hour, once its file is there. */
export async function listAttachments(
  engine: Engine,
  caller: Caller,
  input: ListAttachmentsQuery & { card: string },
): Promise<{ items: AttachmentView[]; next_cursor: string | null }> {
  const { pk } = await findJob(engine, caller, input.card);
  const list = `attachments ${pk}`;
  const after = input.cursor === undefined ? '' : readListCursor(engine, list, input.cursor, z.string());
  const rows = (await attachmentRows(engine, pk)).filter(({ id }) => id > after);
  const page = await lookedUp(engine, rows.slice(0, input.limit));
  return {
    items: await Promise.all(page.map(async (row) => attachmentView(engine, row))),
    next_cursor: rows.length > page.length ? makeListCursor(engine, list, page.at(-1)?.id) : null,
  };
}
