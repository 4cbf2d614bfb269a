/**
 * As much of S3 as the functions and those they sign for use: GET, HEAD, PUT and DELETE of one bucket's files, by
 * signed addresses. It holds them to what S3 would: the signature, its end, and the length that was signed. Files
 * lie in a directory, since emulators from npm take uploads of 11 MB at most or check no signature.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { urlSigner } from '../shared/aws/s3-bucket.ts';
import { systemDeps } from '../shared/deps.ts';
import { listen, type ErrorLog } from './http-server.ts';
import { SECOND_MS } from '../shared/units.ts';

const BUCKET = 'attachments';
/** Ids with slashes between them, as the functions name files; nothing that leads out of the directory. */
const KEY = /^[A-Za-z0-9_]+(?:\/[A-Za-z0-9_]+)*$/;
/** Pages of any origin may use a signed address, as with the bucket of a deployment. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PUT',
  'access-control-allow-headers': 'content-type',
};

export interface S3EndpointOptions {
  /** Where the files are kept; null for as long as the endpoint runs. */
  readonly directory: string | null;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly region: string;
  readonly now?: () => number;
}

export interface S3Endpoint {
  /** Address of its one bucket: `http://127.0.0.1:PORT/attachments` */
  readonly bucketUrl: string;
  readonly close: () => Promise<void>;
}

export async function startS3Endpoint(options: S3EndpointOptions, logError: ErrorLog): Promise<S3Endpoint> {
  const files = options.directory ?? (await mkdtemp(join(tmpdir(), 'leaseboard-files-')));
  const server = await listen(0, logError);
  const bucketUrl = `${server.url}/${BUCKET}`;
  server.answerWith(async (request, response) => {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    const url = new URL(request.url ?? '/', server.url);
    const key = url.pathname.slice(BUCKET.length + 2);
    if (request.method === 'OPTIONS') return end(response, 204);
    if (!url.pathname.startsWith(`/${BUCKET}/`) || !KEY.test(key)) return end(response, 404, 'NoSuchKey');
    const fault = await signatureFault(request, url, key, bucketUrl, options);
    if (fault !== null) {
      // Read to its end, or its sender would meet a closed connection instead of the answer.
      request.resume();
      return end(response, 403, fault);
    }
    await answer(request, response, join(files, ...key.split('/')), url.searchParams);
  });
  return {
    bucketUrl,
    close: async () => {
      await server.close();
      if (options.directory === null) await rm(files, { recursive: true, force: true });
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  switch (request.method) {
    case 'PUT':
      return put(request, response, path);
    case 'DELETE':
      await rm(path, { force: true });
      return end(response, 204);
    case 'HEAD':
    case 'GET':
      return get(request, response, path, query);
    default:
      return end(response, 405, 'MethodNotAllowed');
  }
}

/** Whole or not at all: a file that broke off on its way leaves none. */
async function put(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const arriving = `${path}.${systemDeps.secret(8)}`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await pipeline(request, createWriteStream(arriving));
    await rename(arriving, path);
  } catch (error) {
    await rm(arriving, { force: true });
    throw error;
  }
  end(response, 200);
}

async function get(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null) return end(response, 404, 'NoSuchKey');
  const headers: Record<string, string | number> = { 'content-length': found.size };
  for (const name of ['content-type', 'content-disposition']) {
    const value = query.get(`response-${name}`);
    if (value !== null) headers[name] = value;
  }
  response.writeHead(200, headers);
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(path), response);
}

/** Why S3 would refuse the request; null when it would not. The same request, signed here, has the same signature. */
async function signatureFault(
  request: IncomingMessage,
  url: URL,
  key: string,
  bucketUrl: string,
  { credentials, region, now = () => systemDeps.now() }: S3EndpointOptions,
): Promise<string | null> {
  const query = Object.fromEntries(url.searchParams);
  const signedAt = timeOf(query['X-Amz-Date'] ?? '');
  if (signedAt === null || query['X-Amz-Signature'] === undefined) return 'AccessDenied';
  if (now() > signedAt + Number(query['X-Amz-Expires']) * SECOND_MS)
    return 'AccessDenied: Request has expired';
  const named = (query['X-Amz-SignedHeaders'] ?? '').split(';').filter((name) => name !== 'host');
  const headers = Object.fromEntries(named.map((name) => [name, String(request.headers[name] ?? '')]));
  const own = Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith('X-Amz-')));
  const deps = { ...systemDeps, now: () => signedAt };
  const sign = urlSigner({ url: bucketUrl, region, credentials, deps });
  const method = request.method as 'GET';
  const again = new URL(await sign(method, key, { headers, query: own }));
  const same = again.searchParams.get('X-Amz-Signature') === query['X-Amz-Signature'];
  return same ? null : 'SignatureDoesNotMatch';
}

/** `20261130T192046Z` in milliseconds. */
function timeOf(text: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function end(response: ServerResponse, status: number, code?: string): void {
  response.writeHead(status, code === undefined ? {} : { 'content-type': 'application/xml' });
  response.end(code === undefined ? undefined : `<Error><Code>${code}</Code></Error>`);
}
