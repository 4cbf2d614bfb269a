import { createServer } from 'node:net';

/**
 * A TCP port that is free on loopback right now. Another process may take it before its user binds it, so a
 * server that can bind port 0 itself should do that instead.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') {
      reject(new Error('The system gave no port number for a loopback socket.'));
      return;
    }
    server.close(() => {
      resolve(address.port);
    });
  });
  return promise;
}
