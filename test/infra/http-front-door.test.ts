import { describe, expect, test } from 'vitest';
import { FUNCTIONS, type FunctionName, type FunctionSpec } from '../../functions/manifest.ts';
import { Synthesized, render } from './support/synth.ts';

const MANIFEST = Object.entries(FUNCTIONS) as [FunctionName, FunctionSpec][];
const STAGE = 'AWS::ApiGatewayV2::Stage';

/** `route key -> ARN of the function that it reaches`, through the route's integration. */
function deployedRoutes(synthesized: Synthesized): string[] {
  return synthesized.ofType('AWS::ApiGatewayV2::Route').map(([, route]) => {
    const integrationId = render(route.Properties['Target']).replace('integrations/', '');
    const integration = synthesized.resources.get(integrationId);
    return `${String(route.Properties['RouteKey'])} -> ${render(integration?.Properties['IntegrationUri'])}`;
  });
}

function signed(key: string): string[] {
  if (key === '$default') return ['ANY /aws/{proxy+}'];
  return key.includes('.well-known') ? [] : [key.replace(' /', ' /aws/')];
}

describe('the HTTP API', () => {
  const synthesized = new Synthesized();

  test('sends every route of the manifest to its function, also where AWS signs, and has no other', () => {
    const { functions } = synthesized.stack.leaseboard;
    const expected = MANIFEST.flatMap(([name, spec]) =>
      [...spec.routes, ...spec.routes.flatMap(signed)].map(
        (key) => `${key} -> ${synthesized.logicalId(functions[name])}.Arn`,
      ),
    );

    expect(deployedRoutes(synthesized).toSorted()).toEqual(expected.toSorted());
  });

  test('asks for a signature under /aws, and nowhere else', () => {
    for (const [, { Properties }] of synthesized.ofType('AWS::ApiGatewayV2::Route')) {
      const isSigned = String(Properties['RouteKey']).includes(' /aws/');
      expect(Properties['AuthorizationType']).toBe(isSigned ? 'AWS_IAM' : 'NONE');
    }
  });

  test('hands the functions payloads of version 2.0', () => {
    for (const [, integration] of synthesized.ofType('AWS::ApiGatewayV2::Integration')) {
      expect(integration.Properties).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        PayloadFormatVersion: '2.0',
      });
    }
  });

  test('lets nothing but this API and its schedule call a function', () => {
    const apiId = synthesized.ofType('AWS::ApiGatewayV2::Api')[0]?.[0];
    const permissions = synthesized.ofType('AWS::Lambda::Permission');

    expect(permissions.length).toBe(deployedRoutes(synthesized).length);
    for (const [, permission] of permissions) {
      expect(permission.Properties['Principal']).toBe('apigateway.amazonaws.com');
      expect(render(permission.Properties['SourceArn'])).toContain(`:${apiId}/*/*`);
    }
  });

  test('writes an access log of JSON lines without headers, paths, queries or bodies', () => {
    const stage = synthesized.only(STAGE).Properties['AccessLogSettings'] as {
      DestinationArn: unknown;
      Format: string;
    };
    const line = JSON.parse(stage.Format) as Record<string, string>;

    expect(synthesized.resources.get(render(stage.DestinationArn).replace('.Arn', ''))?.Type).toBe(
      'AWS::Logs::LogGroup',
    );
    expect(line).toMatchObject({ requestId: '$context.requestId', status: '$context.status' });
    expect(Object.values(line).filter((value) => /authorizer|header|path|query|body/i.test(value))).toEqual(
      [],
    );
  });

  test('bounds the rate of requests, by default and as the deployer sets it', () => {
    const bounded = new Synthesized({ throttlingRateLimit: 50, throttlingBurstLimit: 100 });

    expect(synthesized.only(STAGE).Properties['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 1000,
      ThrottlingBurstLimit: 2000,
    });
    expect(bounded.only(STAGE).Properties['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 50,
      ThrottlingBurstLimit: 100,
    });
  });

  test('answers no browser of another origin', () => {
    expect(synthesized.only('AWS::ApiGatewayV2::Api').Properties).not.toHaveProperty('CorsConfiguration');
  });
});
