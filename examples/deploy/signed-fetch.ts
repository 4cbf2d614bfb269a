/**
 * `fetch` for callers that AWS knows: signs each request (SigV4) with the credentials that Lambda puts into the
 * environment, and sends it to the same address under `/aws`.
 */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** @param env AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, as Lambda sets them. */
export function signedFetch(env: Readonly<Record<string, string | undefined>>): typeof fetch {
  const signer = new SignatureV4({
    service: 'execute-api',
    region: env['AWS_REGION'] ?? '',
    sha256: Sha256,
    credentials: {
      accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
      ...(env['AWS_SESSION_TOKEN'] === undefined ? {} : { sessionToken: env['AWS_SESSION_TOKEN'] }),
    },
  });
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await request.text();
    const own = Object.fromEntries(request.headers);
    delete own['authorization'];
    const { headers } = await signer.sign({
      method: request.method,
      protocol: url.protocol,
      hostname: url.host,
      path: `/aws${url.pathname}`,
      query: Object.fromEntries(url.searchParams),
      headers: { ...own, host: url.host },
      body,
    });
    delete headers['host'];
    const sent = request.method === 'GET' || request.method === 'HEAD' ? {} : { body };
    const target = new URL(`/aws${url.pathname}${url.search}`, url);
    return fetch(target, { method: request.method, headers, ...sent, signal: request.signal });
  };
}
