/** A file onto a card: small ones with the request, larger ones to the address that the API answers. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { LeaseboardError, type CreatedAttachment } from '../../client/index.ts';
import { showProgress } from '../progress.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import type { VerbCall } from '../verb.ts';

/** What fits into a request of 1 MiB as base64. */
const LARGEST_INLINE_BYTES = 700_000;
const UNKNOWN_TYPE = 'application/octet-stream';
const KILOBYTE = 1_000;

interface AttachInput {
  readonly file?: string;
  readonly from_url?: string;
  readonly name?: string;
  readonly content_type?: string;
}

export async function attachFile(
  { session, client, input, options }: VerbCall,
  card: string,
): Promise<CreatedAttachment> {
  const { file, from_url, ...said }: AttachInput = input;
  if (from_url !== undefined) return client.attachments.create(card, { from_url, ...said }, options);
  if (file === undefined) throw new UsageError('What is to be attached? Give --file or --from-url.');
  const size = await sizeOf(file);
  const described = { name: basename(file), content_type: UNKNOWN_TYPE, ...said };
  if (size <= LARGEST_INLINE_BYTES) {
    const content_base64 = await readFile(file, 'base64');
    return client.attachments.create(card, { ...described, content_base64 }, options);
  }
  const attachment = await client.attachments.create(card, { ...described, size }, options);
  // Asked for again under the same key, it may be there already.
  if (attachment.upload_url === null) return attachment;
  await upload(session, attachment, attachment.upload_url, file);
  return { ...attachment, uploaded: true, upload_url: null, upload_headers: null };
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`${file} is no file that can be read.`);
  return found.size;
}

async function upload(
  session: Session,
  { name, size, upload_headers: headers }: CreatedAttachment,
  url: string,
  file: string,
): Promise<void> {
  const progress = showProgress(session, 'Uploading kB', Math.ceil(size / KILOBYTE));
  const init = {
    method: 'PUT',
    // A bucket takes no body of unknown length.
    headers: { ...headers, 'content-length': String(size) },
    body: counted(file, (bytes) => progress.at(Math.ceil(bytes / KILOBYTE))),
    // A body that is read while it is sent.
    duplex: 'half',
    signal: session.io.signal,
  } as const;
  try {
    const response = await fetch(url, init);
    await response.body?.cancel();
    if (!response.ok) throw failed(name, `was answered ${response.status}`, response.status);
  } catch (cause) {
    if (cause instanceof LeaseboardError || session.io.signal.aborted) throw cause;
    throw failed(name, `was cut short: is ${new URL(url).origin} reachable?`, 0, cause);
  } finally {
    progress.end();
  }
}

async function* counted(file: string, sent: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    const part = chunk as Buffer;
    yield part;
    sent((bytes += part.length));
  }
}

function failed(name: string, how: string, status: number, cause?: unknown): LeaseboardError {
  return new LeaseboardError({
    code: status === 0 ? 'network_error' : 'unexpected_answer',
    status,
    message: `The upload of ${name} ${how}. Its entry stays: \`leaseboard card detach\` removes it.`,
    cause,
  });
}
