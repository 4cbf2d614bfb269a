/** A file onto a card: small ones with the request, larger ones to the address that the API answers. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CreatedAttachment } from '../../client/index.ts';
import { UsageError } from '../usage-error.ts';
import type { VerbCall } from '../verb.ts';

/** What fits into a request of 1 MiB as base64. */
const LARGEST_INLINE_BYTES = 700_000;
const UNKNOWN_TYPE = 'application/octet-stream';

interface AttachInput {
  readonly file?: string;
  readonly from_url?: string;
  readonly name?: string;
  readonly content_type?: string;
}

export async function attachFile(
  { client, input, options }: VerbCall,
  card: string,
): Promise<CreatedAttachment> {
  const { file, from_url, name, content_type = UNKNOWN_TYPE }: AttachInput = input;
  if (from_url !== undefined) {
    return client.attachments.create(card, name === undefined ? { from_url } : { from_url, name }, options);
  }
  if (file === undefined) throw new UsageError('What is to be attached? Give --file or --from-url.');
  const bytes = await readFile(file).catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  const described = { name: name ?? basename(file), content_type };
  if (bytes.length <= LARGEST_INLINE_BYTES) {
    const inline = { ...described, content_base64: bytes.toString('base64') };
    return client.attachments.create(card, inline, options);
  }
  const attachment = await client.attachments.create(card, { ...described, size: bytes.length }, options);
  await upload(attachment, bytes);
  return attachment;
}

async function upload(attachment: CreatedAttachment, bytes: Buffer): Promise<void> {
  const { upload_url: url, upload_headers: headers } = attachment;
  if (url === null) return;
  const response = await fetch(url, { method: 'PUT', headers: { ...headers }, body: new Uint8Array(bytes) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The upload of ${attachment.name} was answered ${response.status}.`);
}
