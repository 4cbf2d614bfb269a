/**
 * A file fetched from an address that somebody named: public hosts only, checked on the connection that is made,
 * no redirect followed, no more bytes than a file may have and no longer than a call may wait. Whatever goes wrong
 * is the request's fault, and says nothing of what was connected to.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { refusedInput } from '../schemas/parse-input.ts';
import { guardedLookup, TargetRefused, type Resolve } from '../webhooks/guarded-lookup.ts';
import type { Targets } from '../webhooks/public-address.ts';
import { targetFault } from '../webhooks/target.ts';
import { FETCH_TIMEOUT_MS, FILE_BYTES } from './policy.ts';

export interface FetchedFile {
  readonly bytes: Uint8Array;
  /** As its server says, null where it does not. */
  readonly contentType: string | null;
}

export interface FetchOptions {
  readonly targets: Targets;
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

const refused = (message: string) => refusedInput([{ path: '/from_url', message }]);

/** @throws Problem `validation_failed` for whatever cannot, or may not, be fetched. */
export async function fetchSource(url: string, options: FetchOptions): Promise<FetchedFile> {
  const fault = targetFault(url, options.targets);
  if (fault !== null) throw refused(fault);
  const signal = AbortSignal.timeout(options.timeoutMs ?? FETCH_TIMEOUT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const target = new URL(url);
  const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(
    target,
    {
      method: 'GET',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'leaseboard' },
      lookup: guardedLookup(options.targets, options.resolve),
      signal,
      agent: false,
    },
    resolve,
  );
  request.on('error', reject);
  request.end();
  try {
    return await fileOf(await promise);
  } catch (error) {
    throw refused(sentence(error));
  } finally {
    request.destroy();
  }
}

/** Why an answer is no file: told to the caller, unlike what a socket says. */
class NoFile extends Error {
  override readonly name = 'NoFile';
}

async function fileOf(response: IncomingMessage): Promise<FetchedFile> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400)
    throw new NoFile(`answers with a redirect (${statusCode}), and none is followed: name where it leads`);
  if (statusCode !== 200) throw new NoFile(`answers with the status ${statusCode}, not with a file`);
  if (Number(headers['content-length'] ?? 0) > FILE_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > FILE_BYTES) throw tooLarge();
    chunks.push(part);
  }
  return { bytes: Buffer.concat(chunks), contentType: headers['content-type'] ?? null };
}

const tooLarge = (): NoFile =>
  new NoFile(`is larger than the ${FILE_BYTES} bytes that an attachment may have`);

function sentence(error: unknown): string {
  if (error instanceof NoFile) return error.message;
  if (error instanceof TargetRefused) return `must be a public host, and ${error.message}`;
  if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))
    return 'did not give the file in time';
  return 'could not be fetched';
}
