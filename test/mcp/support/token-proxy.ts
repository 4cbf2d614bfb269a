/** A proxy on loopback that adds a token to every request, for tools that cannot be told one. */
import { createServer, request as send } from 'node:http';

export interface TokenProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** @param target `http://127.0.0.1:PORT`; all other headers, `Host` and `Origin` above all, stay as they came. */
export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const forwarded = send(new URL(incoming.url ?? '/', target), { method: incoming.method, headers });
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => {
        closed.resolve();
      });
      server.closeAllConnections();
      return closed.promise;
    },
  };
}
