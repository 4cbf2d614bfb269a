/** The HTTP API: the manifest's routes, one stage with access logs and a ceiling on requests. */
import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface HttpFrontDoorProps {
  readonly logRetention: RetentionDays;
  /** Requests per second, all callers together. */
  readonly throttlingRateLimit: number;
  /** Requests at once above that rate. */
  readonly throttlingBurstLimit: number;
}

/**
 * What a line of the access log says. No header and no query string: bearer and lease tokens travel in headers
 * and bodies, and a log must hold neither.
 */
const ACCESS_LOG_LINE = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};

export class HttpFrontDoor extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, props: HttpFrontDoorProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: 'Leaseboard',
      description: 'Leaseboard: boards, cards and leases',
      createDefaultStage: false,
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The $default stage has no name in the URL, so paths are the same here and on a laptop.
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.throttlingRateLimit, burstLimit: props.throttlingBurstLimit },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_LINE)),
      },
    });
  }

  /** Sends each of the route keys (`POST /v1/...` or `$default`) to the handler. */
  route(name: string, handler: IFunction, routeKeys: readonly string[]): void {
    if (routeKeys.length === 0) return;
    const integration = new HttpLambdaIntegration(`${name}Integration`, handler);
    for (const key of routeKeys) {
      const route = new HttpRoute(this, key, {
        httpApi: this.api,
        routeKey: parseRouteKey(key),
        integration,
      });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason: 'The functions check bearer tokens: an authorizer would answer 401 with a body of its own.',
      });
    }
  }
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
