/** An attachment as the API shows it. */
import type { Engine } from '../engine.ts';
import type { AttachmentItem } from '../store/attachment-items.ts';
import { iso, isoOrNull } from '../views/time.ts';
import { SIGNED_URL_SECONDS } from './policy.ts';
import { objectKey } from './rows.ts';
import { SECOND_MS } from '../units.ts';

const expiry = (engine: Engine): number => engine.deps.now() + SIGNED_URL_SECONDS * SECOND_MS;

function described(row: AttachmentItem) {
  return {
    id: row.id,
    name: row.name,
    content_type: row.content_type,
    size: row.size,
    uploaded: row.uploaded === true,
    author: row.by.id,
    created_at: iso(row.created_at),
  };
}

/** What its creator gets: where to upload it, unless the file is there. */
export async function createdView(engine: Engine, row: AttachmentItem) {
  const upload = row.uploaded === true ? null : await engine.bucket.signUpload(objectKey(row), row);
  return {
    ...described(row),
    upload_url: upload?.url ?? null,
    upload_headers: upload?.headers ?? null,
    expires_at: isoOrNull(upload === null ? undefined : expiry(engine)),
  };
}
export type CreatedAttachmentView = Awaited<ReturnType<typeof createdView>>;

/** What a reader gets: where to download it, once it is there. */
export async function attachmentView(engine: Engine, row: AttachmentItem) {
  const url = row.uploaded === true ? await engine.bucket.signDownload(objectKey(row), row) : null;
  return {
    ...described(row),
    download_url: url,
    expires_at: isoOrNull(url === null ? undefined : expiry(engine)),
  };
}
export type AttachmentView = Awaited<ReturnType<typeof attachmentView>>;
