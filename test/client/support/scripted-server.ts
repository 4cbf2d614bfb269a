/** A loopback HTTP server that plays a script: one step per request, in order, and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Step =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Takes the request and closes the connection without an answer. */
  | 'hang up'
  /** Takes the request and says nothing. */
  | 'stay silent';

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly Seen[];
}

export async function scriptedServer(...steps: Step[]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void collect(request).then((body) => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, path: url, headers, body });
      play(steps.shift(), request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

function play(step: Step | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (step === 'stay silent') return;
  if (step === 'hang up') {
    request.socket.destroy();
    return;
  }
  const { status, body, headers } =
    step ?? problem(500, 'internal', { detail: 'The script has no more steps' });
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
}

async function collect(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A refusal as the API words it. */
export function problem(
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Exclude<Step, string> {
  return { status, body: { type: 'about:blank', title: code, status, code, ...more }, headers };
}
