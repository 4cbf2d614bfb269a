/** Sends what a function answered, read as an API Gateway HTTP API reads it: payload format 2.0. */
import type { ServerResponse } from 'node:http';

/** Lambda refuses a larger answer, as JSON, and the gateway then answers 500; a laptop must not be kinder. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

interface Structured {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** @throws Error for an answer that Lambda or the gateway would not take. */
export function sendResult(response: ServerResponse, result: unknown): void {
  const { statusCode, headers, cookies, body } = structured(result);
  const bytes = Buffer.byteLength(JSON.stringify(result ?? null));
  if (bytes > MAX_ANSWER_BYTES) {
    throw new Error(`The answer has ${bytes} bytes; Lambda takes ${MAX_ANSWER_BYTES}.`);
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(statusCode);
  response.end(body);
}

/** The gateway's own refusals: a JSON object with one sentence. */
export function sendGatewayError(response: ServerResponse, statusCode: number, message: string): void {
  response.writeHead(statusCode, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ message }));
}

/** What has no `statusCode` is a body: 200 and JSON. */
function structured(result: unknown): Structured {
  if (!isObject(result) || result['statusCode'] === undefined) {
    const body = Buffer.from(JSON.stringify(result ?? null));
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = result;
  if (typeof statusCode !== 'number' || (body !== undefined && typeof body !== 'string')) {
    throw new TypeError('A function answers a number as `statusCode` and a string as `body`.');
  }
  return {
    statusCode,
    headers: isObject(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      : {},
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
