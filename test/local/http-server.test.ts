import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../local/http-server.ts';
import { UserError } from '../../local/user-error.ts';

async function startServer() {
  const logged: unknown[] = [];
  const server = await listen(0, (_what, error) => logged.push(error));
  onTestFinished(server.close);
  return { server, logged };
}

async function connects(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: 1000 });
  socket.on('connect', () => {
    resolve(true);
  });
  for (const refusal of ['error', 'timeout']) {
    socket.on(refusal, () => {
      resolve(false);
    });
  }
  const connected = await promise;
  socket.destroy();
  return connected;
}

test('only 127.0.0.1 is listened on', async () => {
  const { server } = await startServer();
  expect(await connects('127.0.0.1', server.port)).toBe(true);
  // Another loopback address stands for every other interface: a machine in a test may have no network.
  expect(await connects('127.0.0.2', server.port)).toBe(false);
  expect(await connects('::1', server.port)).toBe(false);
});

test('until it is told what to answer it says 503', async () => {
  const { server } = await startServer();
  expect((await fetch(server.url)).status).toBe(503);
  server.answerWith(async (_request, response) => void response.end('ready'));
  expect(await (await fetch(server.url)).text()).toBe('ready');
});

test('a port that is taken is refused by number', async () => {
  const { server } = await startServer();
  const second = listen(server.port, () => undefined);
  await expect(second).rejects.toThrow(UserError);
  await expect(second).rejects.toThrow(`Port ${server.port} is already in use`);
});

test('an answerer that throws is logged and answered with 500', async () => {
  const { server, logged } = await startServer();
  server.answerWith(async () => Promise.reject(new Error('broken')));
  expect((await fetch(server.url)).status).toBe(500);
  expect(String(logged)).toContain('broken');
});

test('closing lets a request that is being answered finish', async () => {
  const { server } = await startServer();
  const arrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  server.answerWith(async (_request, response) => {
    arrived.resolve();
    await mayAnswer.promise;
    response.end('late');
  });
  const answer = fetch(server.url);
  await arrived.promise;
  const closed = server.close();
  mayAnswer.resolve();
  expect(await (await answer).text()).toBe('late');
  await closed;
  expect(await connects('127.0.0.1', server.port)).toBe(false);
});

test('closing does not wait for a request that takes too long', async () => {
  const { server } = await startServer();
  const arrived = Promise.withResolvers<void>();
  server.answerWith(async () => {
    arrived.resolve();
    return new Promise(() => undefined);
  });
  const answer = fetch(server.url);
  const cut = expect(answer).rejects.toThrow('fetch failed');
  await arrived.promise;
  await server.close();
  await cut;
});
