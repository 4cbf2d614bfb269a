/** Files too large for a request of the API are sent to the address that it answers. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attachFile } from '../../cli/files/attach.ts';
import type { VerbCall } from '../../cli/verb.ts';

const SIZE = 3_000_000;

let folder: string;
let file: string;
let url: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => answer(request, response));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-attach-'));
  file = join(folder, 'large.bin');
  await writeFile(file, Buffer.alloc(SIZE, 7));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
});

beforeEach(() => {
  answer = (request, response) => void request.resume().on('end', () => response.end());
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** `card attach`, for an API that answers an address to upload to. */
async function attach(input: object, signal = new AbortController().signal): Promise<unknown> {
  const created: unknown[] = [];
  const client = {
    attachments: {
      create: async (_card: string, body: { readonly name: string; readonly size?: number }) => {
        created.push(body);
        const upload = { upload_url: url, upload_headers: { 'content-type': 'text/x-large' } };
        return { ...body, uploaded: false, ...upload };
      },
    },
  };
  const session = { io: { watched: false, signal }, output: { json: true } };
  return attachFile({ session, client, input, options: {} } as unknown as VerbCall, 'crd_1');
}

describe('a large file', () => {
  test('arrives whole, with its length and the headers that were asked for', async () => {
    let heard: IncomingMessage | undefined;
    let bytes = 0;
    answer = (request, response) => {
      heard = request;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => response.end());
    };
    const attached = await attach({ file });

    expect(attached).toMatchObject({ name: 'large.bin', size: SIZE, uploaded: true, upload_url: null });
    expect(bytes).toBe(SIZE);
    expect(heard?.method).toBe('PUT');
    expect(heard?.headers).toMatchObject({ 'content-type': 'text/x-large', 'content-length': String(SIZE) });
    expect(heard?.headers['transfer-encoding']).toBeUndefined();
  });

  test('that the bucket refuses, or that does not get through, says what stays behind', async () => {
    answer = (request, response) => void request.resume().on('end', () => response.writeHead(403).end());
    await expect(attach({ file })).rejects.toMatchObject({
      code: 'unexpected_answer',
      status: 403,
      message: expect.stringContaining('card detach'),
    });
    answer = (request) => request.socket.destroy();
    await expect(attach({ file })).rejects.toMatchObject({ code: 'network_error', status: 0 });
  });

  test('is given up on Ctrl-C', async () => {
    const interruption = new AbortController();
    answer = () => interruption.abort();
    await expect(attach({ file }, interruption.signal)).rejects.toThrow(/abort/i);
  });

  test('must be a file', async () => {
    await expect(attach({ file: folder })).rejects.toThrow('no file that can be read');
    await expect(attach({ file: join(folder, 'none') })).rejects.toThrow('no file that can be read');
  });
});
