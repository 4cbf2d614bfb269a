/** The event of an API Gateway HTTP API (payload format 2.0), parsed once, at its border. */
import * as z from 'zod';
import { problem } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/policy.ts';
import { refusedInput } from '../../shared/schemas/parse-input.ts';

const GatewayEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({
    requestId: z.string(),
    domainName: z.string().default(''),
    http: z.object({ method: z.string() }),
    /** What the gateway's IAM authorizer found; no client can set it. */
    authorizer: z.object({ iam: z.object({ userArn: z.string() }).optional() }).optional(),
  }),
});

export interface HttpRequest {
  readonly id: string;
  /** The name that the gateway answers to, whatever the request's `Host` says. */
  readonly domain: string;
  readonly method: string;
  /** Without the `/aws` of callers whom AWS has identified: they use the same addresses. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** ARN of the session that signed the request; null where the gateway has checked no signature. */
  readonly sessionArn: string | null;
  /** Value of a header, whatever its name's case. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

/** Under this path the gateway asks for a signature (SigV4). */
const SIGNED = /^\/aws(?=\/)/;

export function readRequest(event: unknown): HttpRequest {
  const { rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext } =
    GatewayEvent.parse(event);
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const sessionArn = requestContext.authorizer?.iam?.userArn ?? null;
  return {
    id: requestContext.requestId,
    domain: requestContext.domainName,
    method: requestContext.http.method,
    rawPath: sessionArn === null ? rawPath : rawPath.replace(SIGNED, ''),
    rawQuery: rawQueryString,
    sessionArn,
    header: (name) => byName.get(name.toLowerCase()),
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/**
 * The bytes of a JSON body, checked before they are parsed.
 *
 * @param isTaken True for a body of another type that the route takes.
 * @throws Problem `payload_too_large` or `unsupported_media_type`.
 */
export function jsonBody(request: HttpRequest, isTaken = false): Buffer {
  const { body } = request;
  if (body.length > LIMITS.requestBytes) {
    throw problem(
      'payload_too_large',
      `The body has ${body.length} bytes, and at most ${LIMITS.requestBytes} are taken. Larger things are attachments.`,
    );
  }
  const type = request.header('content-type');
  if (body.length > 0 && !isTaken && !/^\s*application\/json\s*(;|$)/i.test(type ?? '')) {
    throw problem(
      'unsupported_media_type',
      'Send the body as JSON, with the header `Content-Type: application/json`.',
    );
  }
  return body;
}

/** Query parameters by name; one given twice is refused, since either value would be a guess. */
export function readQuery(rawQuery: string): Record<string, string> {
  const pairs = [...new URLSearchParams(rawQuery)];
  const query = Object.fromEntries(pairs);
  const names = pairs.map(([name]) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0) {
    throw refusedInput([...new Set(twice)].map((name) => ({ path: `/${name}`, message: 'is given twice' })));
  }
  return query;
}
