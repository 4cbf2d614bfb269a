/** A server on loopback whose answers are given to it: it owns the port and the end of the connections. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { UserError } from './user-error.ts';

/** The only address that is ever bound: nothing here is meant for another machine. */
const LOOPBACK = '127.0.0.1';
/** Longer than clients keep an idle connection, so that it is they who close it and none meets a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** What is being answered at the end may finish; a long poll waits up to 20 s and is cut off. */
const CLOSE_GRACE_MS = 2000;

/** Answers one request in full. What it throws is logged, and answered with 500 if nothing was sent yet. */
export type Answerer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Receives what nobody is there to be answered with. */
export type ErrorLog = (what: string, error: unknown) => void;

export interface LocalServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Takes over the answering, from the next request on: what is served can be ready later than the port. */
  answerWith(answerer: Answerer): void;
  /**
   * Takes no more connections, lets what is being answered finish for a moment, then cuts it off. May be called
   * more than once.
   */
  readonly close: () => Promise<void>;
}

/**
 * Binds the port at once, answering 503 until `answerWith` is called.
 *
 * @param port 0 for any free one.
 * @throws UserError naming the port when it is taken or not permitted.
 */
export async function listen(port: number, logError: ErrorLog): Promise<LocalServer> {
  let answerer: Answerer = answerStarting;
  let closing: Promise<void> | null = null;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    response.once('close', () => {
      // Otherwise its connection, kept alive for a next request, would hold up the end.
      if (closing !== null) server.closeIdleConnections();
    });
    void answerer(request, response).catch((error: unknown) => {
      logError(`${request.method} request`, error);
      answerBroken(response);
    });
  });
  await bind(server, port);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: bound,
    url: `http://${LOOPBACK}:${bound}`,
    answerWith: (next) => {
      answerer = next;
    },
    close: async () => (closing ??= close(server)),
  };
}

async function bind(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') {
      reject(
        new UserError(
          `Port ${port} is already in use. End what listens there, or choose another: \`--port N\`.`,
        ),
      );
    } else if (error.code === 'EACCES') {
      reject(
        new UserError(`Port ${port} may not be bound by this user. Choose one above 1023: \`--port N\`.`),
      );
    } else reject(error);
  });
  server.listen(port, LOOPBACK, resolve);
  return promise;
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => {
    resolve();
  });
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, CLOSE_GRACE_MS);
  await promise;
  clearTimeout(cut);
}

async function answerStarting(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end('{"message":"Service Unavailable"}');
}

function answerBroken(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { 'content-type': 'application/json' });
  response.end('{"message":"Internal Server Error"}');
}
