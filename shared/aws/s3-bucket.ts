/**
 * The bucket on S3: four kinds of request, each as an address signed for it, which callers are given or which is
 * called here. Made of the signer that the SDK's clients carry anyway: S3's own client would be 300 KB more in
 * functions that workers wait for.
 */
import { SignatureV4 } from '@smithy/signature-v4';
import type { Bucket } from '../attachments/bucket.ts';
import {
  BUCKET_CALL_TIMEOUT_MS,
  BUCKET_JITTER_MS,
  BUCKET_PUT_TIMEOUT_MS,
  BUCKET_TRIES,
  SIGNED_URL_SECONDS,
} from '../attachments/policy.ts';
import type { Deps } from '../deps.ts';
import { Sha256 } from './sha256.ts';

type Init = ConstructorParameters<typeof SignatureV4>[0];

export interface S3BucketOptions {
  /** Address of the bucket itself: `https://<bucket>.s3.<region>.amazonaws.com`, or path style elsewhere. */
  readonly url: string;
  readonly region: Init['region'];
  readonly credentials: Init['credentials'];
  readonly deps: Deps;
  /** How long an address is good for; default `SIGNED_URL_SECONDS`. */
  readonly expiresSeconds?: number;
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

interface Signable {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Signs one request to the bucket, good from now on for as long as the options say. */
export type SignUrl = (method: Method, key: string, parts?: Signable) => Promise<string>;

export function urlSigner({
  url,
  region,
  credentials,
  deps,
  expiresSeconds = SIGNED_URL_SECONDS,
}: S3BucketOptions): SignUrl {
  const base = new URL(url);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials,
    sha256: Sha256,
    // S3 alone takes paths as they are; the other services want them encoded twice.
    uriEscapePath: false,
  });
  return async (method, key, { headers = {}, query = {} } = {}) => {
    const path = `${base.pathname.replace(/\/$/, '')}/${key}`;
    const request = {
      method,
      protocol: base.protocol,
      hostname: base.host,
      path,
      query: { ...query },
      headers: { host: base.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
    };
    const signed = await signer.presign(request, {
      expiresIn: expiresSeconds,
      signingDate: new Date(deps.now()),
      // It says that the content is not signed, and is itself no part of the request.
      unhoistableHeaders: new Set(['x-amz-content-sha256']),
      unsignableHeaders: new Set(['x-amz-content-sha256']),
    });
    return `${base.origin}${path}?${queryText(signed.query ?? {})}`;
  };
}

function queryText(query: Readonly<Record<string, string | string[] | null>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
    .join('&');
}

/** As the signature is computed: RFC 3986, stricter than what JavaScript leaves as it is. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export function s3Bucket(options: S3BucketOptions): Bucket {
  const sign = urlSigner(options);
  const call = caller(options.deps, sign);
  return {
    signUpload: async (key, { content_type, size }) => {
      // Both are signed, so nothing else and nothing larger can be uploaded there.
      const headers = { 'content-type': content_type, 'content-length': String(size) };
      return { url: await sign('PUT', key, { headers }), headers };
    },
    signDownload: async (key, { content_type, name }) =>
      sign('GET', key, {
        query: {
          'response-content-disposition': disposition(name),
          'response-content-type': content_type,
        },
      }),
    put: async (key, bytes, contentType) => {
      const headers = { 'content-type': contentType };
      await call('PUT', key, BUCKET_PUT_TIMEOUT_MS, { headers, body: bytes });
    },
    sizeOf: async (key) => {
      const response = await call('HEAD', key, BUCKET_CALL_TIMEOUT_MS);
      return response === null ? null : Number(response.headers.get('content-length'));
    },
    remove: async (key) => {
      await call('DELETE', key, BUCKET_CALL_TIMEOUT_MS);
    },
  };
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Calls the bucket; null where there is no such file. What may pass is tried again. */
function caller(deps: Deps, sign: SignUrl) {
  return async (
    method: Method,
    key: string,
    timeoutMs: number,
    sent: Sent = {},
  ): Promise<Response | null> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await once(await sign(method, key, sent), method, timeoutMs, sent);
      if (response instanceof Response && response.ok) return response;
      if (response instanceof Response && response.status === 404) return null;
      const passes = response instanceof Error || response.status >= 500;
      if (!passes || attempt >= BUCKET_TRIES) throw broken(method, response);
      await deps.sleep(deps.random() * BUCKET_JITTER_MS * 2 ** attempt);
    }
  };
}

/** The whole answer, whose body is never wanted. */
async function once(url: string, method: Method, timeoutMs: number, sent: Sent): Promise<Response | Error> {
  try {
    const { headers = {}, body } = sent;
    const signal = AbortSignal.timeout(timeoutMs);
    const request = {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    };
    const response = await fetch(url, request);
    await response.body?.cancel();
    return response;
  } catch (error) {
    return error instanceof Error ? error : new Error('The bucket could not be called');
  }
}

/** Without the address, which is a key to the file. */
function broken(method: Method, response: Response | Error): Error {
  return response instanceof Error
    ? new Error(`${method} of a file failed: ${response.name}`)
    : new Error(`${method} of a file was answered with ${response.status}`);
}

/** `filename` for those that know ASCII only, `filename*` for the rest (RFC 6266). */
function disposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`;
}
