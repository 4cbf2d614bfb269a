import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { spansOf } from '../../functions/tracer/spans.ts';
import { allowedTo } from './support/policies.ts';
import { createApp, render, Synthesized } from './support/synth.ts';
import { LeaseboardStack } from '../../infra/stack.ts';

/** As CloudWatch Logs starts a function with lines of a log. */
function subscribed(lines: readonly string[], messageType = 'DATA_MESSAGE') {
  const logEvents = lines.map((message, at) => ({ id: String(at), timestamp: 1, message }));
  const batch = {
    messageType,
    owner: '1',
    logGroup: 'claims',
    logStream: 's',
    subscriptionFilters: [],
    logEvents,
  };
  return { awslogs: { data: gzipSync(JSON.stringify(batch)).toString('base64') } };
}

const LINE = {
  timestamp: '2026-12-01T00:00:00.250Z',
  level: 'WARN',
  message: 'request',
  request_id: 'r-1',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  method: 'POST',
  route: '/v1/boards/{board}/cards',
  status: 503,
  code: 'throttled',
  ms: 250,
  board: 'bugs',
  agent: null,
  error: { name: 'Error', message: 'secret' },
};

describe('the line of a recorded request', () => {
  test('is a span with its time, its route and how it ended, and nothing of an error but its code', () => {
    const parent = { ...LINE, status: 200, parent_span_id: 'aaaaaaaaaaaaaaaa' };
    const sent = spansOf(subscribed([LINE, parent].map((line) => JSON.stringify(line))));
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

    expect(sent).toMatchObject({
      resourceSpans: [
        {
          resource: {
            attributes: [text('service.name', 'leaseboard'), text('aws.log.group.name', 'claims')],
          },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: LINE.trace_id,
                  spanId: LINE.span_id,
                  name: 'POST /v1/boards/{board}/cards',
                  kind: 2,
                  startTimeUnixNano: '1796083200000000000',
                  endTimeUnixNano: '1796083200250000000',
                  attributes: expect.arrayContaining([
                    text('leaseboard.request_id', 'r-1'),
                    text('http.request.method', 'POST'),
                    text('http.route', '/v1/boards/{board}/cards'),
                    { key: 'http.response.status_code', value: { intValue: '503' } },
                    text('error.type', 'throttled'),
                    text('leaseboard.board', 'bugs'),
                  ]),
                  status: { code: 2 },
                },
                { parentSpanId: 'aaaaaaaaaaaaaaaa' },
              ],
            },
          ],
        },
      ],
    });
    const [first, second] = (sent as Sent).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(first).toMatchObject({ attributes: { length: 6 } });
    expect(first).not.toHaveProperty('parentSpanId');
    expect(second).not.toHaveProperty('status');
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  test('of another kind, cut off or broken, is no span, and a message that only looks whether we listen is none', () => {
    const lines = ['START RequestId: 1', '{"span_id":"x"}', JSON.stringify(LINE).slice(0, -9), '[]', ''];
    expect(spansOf(subscribed(lines))).toBeNull();
    expect(spansOf(subscribed([JSON.stringify(LINE)], 'CONTROL_MESSAGE'))).toBeNull();
  });
});

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly object[] }[];
  }[];
}

describe('the tracer', () => {
  /** X-Ray, as far as a call goes. */
  async function receiver(status: number) {
    const got: { headers: Record<string, unknown>; body: string }[] = [];
    const server = createServer(async (request, response) => {
      got.push({ headers: request.headers, body: await text(request) });
      response.writeHead(status).end('TransactionSearch is off');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      vi.unstubAllEnvs();
      vi.resetModules();
    });
    vi.stubEnv('TRACES_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    const { handler } = await import('../../functions/tracer/handler.ts');
    return { got, handler };
  }

  test('sends them signed, as OTLP in JSON, and nothing when there is nothing', async () => {
    const { got, handler } = await receiver(200);
    await handler(subscribed(['no span']));
    await handler(subscribed([JSON.stringify(LINE)]));
    expect(got).toHaveLength(1);
    expect(JSON.parse(got[0]?.body ?? '')).toEqual(spansOf(subscribed([JSON.stringify(LINE)])));
    expect(got[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-amz-security-token': 'session',
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/\w+\/xray\/aws4_request/),
    });
  });

  test('fails with what X-Ray says, so that Lambda tries again and the errors are seen', async () => {
    const { handler } = await receiver(400);
    await expect(handler(subscribed([JSON.stringify(LINE)]))).rejects.toThrow(/400 TransactionSearch is off/);
  });
});

describe('tracing, as it is deployed', () => {
  const environmentsOf = (synthesized: Synthesized): string =>
    synthesized
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => JSON.stringify(Properties['Environment'] ?? {}))
      .join('\n');

  test('is nothing where it was not asked for', () => {
    const synthesized = new Synthesized();
    expect(synthesized.ofType('AWS::Logs::SubscriptionFilter')).toEqual([]);
    expect(environmentsOf(synthesized)).not.toMatch(/TRACES_URL/);
    expect(environmentsOf(synthesized).match(/"TRACE_RATE":"0"/g)).toHaveLength(4);
  });

  test('records one trace in a hundred, from the logs of what answers requests, by a role that may send and no more', () => {
    const synthesized = new Synthesized({ tracing: {} });
    const { leaseboard } = synthesized.stack;
    expect(environmentsOf(synthesized).match(/"TRACE_RATE":"0.01"/g)).toHaveLength(4);
    const filters = synthesized
      .ofType('AWS::Logs::SubscriptionFilter')
      .map(([, { Properties }]) => Properties);
    const answering = (['claim', 'lease', 'api', 'mcp'] as const).map((name) => {
      const logging = synthesized.functionResource(name).Properties['LoggingConfig'];
      return render((logging as { LogGroup: unknown }).LogGroup);
    });
    expect(filters.map(({ LogGroupName }) => render(LogGroupName)).toSorted()).toEqual(answering.toSorted());
    expect(new Set(filters.map(({ FilterPattern }) => FilterPattern))).toEqual(
      new Set(['{ $.span_id = "*" }']),
    );
    const tracer = leaseboard.tracing?.handler;
    if (tracer === undefined) throw new Error('There is no tracer');
    const { Role, LoggingConfig } =
      synthesized.resources.get(synthesized.logicalId(tracer))?.Properties ?? {};
    const own = render((LoggingConfig as { LogGroup: unknown }).LogGroup);
    expect(allowedTo(synthesized, render(Role).replace('.Arn', ''))).toEqual([
      `Allow logs:CreateLogStream ${own}.Arn`,
      `Allow logs:PutLogEvents ${own}.Arn`,
      'Allow xray:PutTraceSegments *',
    ]);
  });

  test('takes another share, and none that is no share', () => {
    expect(
      environmentsOf(new Synthesized({ tracing: { samplingRate: 1 } })).match(/"TRACE_RATE":"1"/g),
    ).toHaveLength(4);
    for (const samplingRate of [0, -1, 1.01, Number.NaN]) {
      expect(() => new Synthesized({ tracing: { samplingRate } })).toThrow(/tracing.samplingRate is/);
    }
  });

  test('keeps the rules of cdk-nag', () => {
    const app = createApp();
    const stack = new LeaseboardStack(app, 'Traced', { tracing: {} });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
    expect(stack.leaseboard.tracing).not.toBeNull();
    expect(() => app.synth()).not.toThrow();
  });
});
