/** The HTTP API: the manifest's routes, once with tokens and once signed by AWS; one stage with access logs. */
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface HttpFrontDoorProps {
  readonly logRetention: RetentionDays;
  /** Requests per second, all callers together. */
  readonly throttlingRateLimit: number;
  /** Requests at once above that rate. */
  readonly throttlingBurstLimit: number;
  /** Origins whose pages may call; none for an empty list. */
  readonly corsAllowOrigins: readonly string[];
  readonly domainName?: string | undefined;
  readonly certificate?: ICertificate | undefined;
  /** Whether it answers to `domainName` alone. */
  readonly disableExecuteApiEndpoint: boolean;
}

/**
 * What a line of the access log says. No header, no path and no query string: tokens travel in headers and bodies, and
 * whoever puts one into an address by mistake must not find it in a log. The function's own line has the same
 * `requestId`, and names what the request was about.
 */
const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};

/** How long a browser remembers that it may call. */
const PREFLIGHT_LIFE = Duration.hours(1);

export class HttpFrontDoor extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /** Null where the API answers to API Gateway's name only. */
  readonly domain: DomainName | null;
  private readonly signed = new HttpIamAuthorizer();

  constructor(scope: Construct, id: string, props: HttpFrontDoorProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: 'Leaseboard',
      description: 'Leaseboard: boards, cards and leases',
      createDefaultStage: false,
      disableExecuteApiEndpoint: props.disableExecuteApiEndpoint,
      ...(props.corsAllowOrigins.length === 0 ? {} : { corsPreflight: corsFor(props.corsAllowOrigins) }),
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.domain = this.domainFor(props);
    // The $default stage has no name in the URL, so paths are the same here and on a laptop.
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      ...(this.domain === null ? {} : { domainMapping: { domainName: this.domain } }),
      throttle: { rateLimit: props.throttlingRateLimit, burstLimit: props.throttlingBurstLimit },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
      },
    });
  }

  /** Address of the API, without a trailing slash. */
  get url(): string {
    return this.domain === null ? this.api.apiEndpoint : `https://${this.domain.name}`;
  }

  /** Sends each of the route keys (`POST /v1/...` or `$default`) to the handler, and the same under `/aws`. */
  route(name: string, handler: IFunction, routeKeys: readonly string[]): void {
    if (routeKeys.length === 0) return;
    const integration = new HttpLambdaIntegration(`${name}Integration`, handler);
    const common = { httpApi: this.api, integration };
    for (const key of routeKeys) {
      const route = new HttpRoute(this, key, { ...common, routeKey: parseRouteKey(key) });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason: 'The functions check bearer tokens: an authorizer would answer 401 with a body of its own.',
      });
    }
    for (const key of routeKeys.map(signedKey).filter((key) => key !== null)) {
      new HttpRoute(this, key, { ...common, routeKey: parseRouteKey(key), authorizer: this.signed });
    }
  }

  private domainFor(props: HttpFrontDoorProps): DomainName | null {
    const { domainName, certificate, disableExecuteApiEndpoint } = props;
    if (domainName === undefined && disableExecuteApiEndpoint) {
      throw new Error('disableExecuteApiEndpoint leaves the API without any name: give it a domainName.');
    }
    if (domainName === undefined && certificate === undefined) return null;
    if (domainName === undefined || certificate === undefined) {
      throw new Error('domainName and certificate go together: give both, or neither.');
    }
    return new DomainName(this, 'Domain', { domainName, certificate });
  }
}

function corsFor(allowOrigins: readonly string[]) {
  return {
    allowOrigins: [...allowOrigins],
    allowMethods: [CorsHttpMethod.ANY],
    allowHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'traceparent',
      'x-agent',
      'x-lease-token',
    ],
    exposeHeaders: ['etag', 'idempotent-replayed', 'ratelimit', 'retry-after', 'x-request-id'],
    maxAge: PREFLIGHT_LIFE,
  };
}

/** Where a signed caller finds what is at a route key; null for addresses that are there to be found unsigned. */
function signedKey(key: string): string | null {
  if (key === '$default') return 'ANY /aws/{proxy+}';
  return key.includes('.well-known') ? null : key.replace(' /', ' /aws/');
}

function parseRouteKey(key: string): HttpRouteKey {
  if (key === '$default') return HttpRouteKey.DEFAULT;
  const [verb, path] = key.split(' ');
  const method = Object.values(HttpMethod).find((known) => known === verb);
  if (method === undefined || path === undefined) {
    throw new Error(
      `"${key}" is no route key: the manifest writes a method, a space and a path, or $default.`,
    );
  }
  return HttpRouteKey.with(path, method);
}
