/** Where the file of a new attachment comes from: uploaded afterwards, sent along, or fetched. */
import type { Engine } from '../engine.ts';
import { ContentType, type CreateAttachmentBody } from '../schemas/attachments.ts';
import { fetchSource } from './fetch-source.ts';
import { safeName } from './file-name.ts';

export interface Source {
  /** As its sender calls it; made free of others' names later. */
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  /** Null for a file that its sender uploads. */
  readonly bytes: Uint8Array | null;
}

const UNKNOWN_TYPE = 'application/octet-stream';

/** @throws Problem `validation_failed` for an address that gives no file. */
export async function sourceOf(engine: Engine, body: CreateAttachmentBody): Promise<Source> {
  const name = safeName(body.name ?? nameIn(body.from_url ?? ''));
  const content_type = body.content_type ?? UNKNOWN_TYPE;
  if (body.from_url !== undefined) {
    const { targets } = engine.webhooks;
    const { bytes, contentType } = await fetchSource(body.from_url, { targets });
    const said = ContentType.safeParse(contentType);
    return { name, content_type: body.content_type ?? said.data ?? UNKNOWN_TYPE, size: bytes.length, bytes };
  }
  if (body.content_base64 === undefined) return { name, content_type, size: body.size ?? 0, bytes: null };
  const bytes = Buffer.from(body.content_base64, 'base64');
  return { name, content_type, size: bytes.length, bytes };
}

/** The last part of the path, without the query that may hold a secret. */
function nameIn(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
