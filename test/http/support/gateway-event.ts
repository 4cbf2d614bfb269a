/** Events of an API Gateway HTTP API, payload format 2.0, as the handlers under test receive them. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  /** A value is sent as JSON; a string or a buffer as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** As API Gateway sends what it takes for binary. */
  readonly base64?: boolean;
}

let requests = 0;

export function gatewayEvent(request: TestRequest): APIGatewayProxyEventV2 {
  const { method = 'GET', headers = {}, base64 = false } = request;
  const [rawPath = '', rawQueryString = ''] = request.path.split('?');
  const body = bodyOf(request.body);
  requests += 1;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...lowerCase(headers),
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'test',
      domainPrefix: 'test',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: `request-${requests}`,
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    isBase64Encoded: base64,
    ...(body === undefined ? {} : { body: body.toString(base64 ? 'base64' : 'utf8') }),
  };
}

function bodyOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
