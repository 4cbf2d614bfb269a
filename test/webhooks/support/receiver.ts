/** A receiver of webhooks on loopback, which keeps what it got and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, to the byte. */
  readonly body: string;
}

export type Respond = (response: ServerResponse, request: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Connections that were opened, with or without a request. */
  readonly connections: () => number;
  /** What is answered from now on. */
  answer: Respond;
  readonly close: () => Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Respond =>
  (response) => {
    response.writeHead(code, headers);
    response.end(body);
  };

export async function startReceiver(answer: Respond = status(200)): Promise<Receiver> {
  let connections = 0;
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const got = { headers: request.headers as Record<string, string>, body };
      receiver.received.push(got);
      receiver.answer(response, got);
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    connections: () => connections,
    answer,
    close,
  };
  return receiver;
}

/** One that ends with the test. */
export async function receiverForTest(answer?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  onTestFinished(receiver.close);
  return receiver;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
